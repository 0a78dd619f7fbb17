#include "harness/run/run.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <set>

#include "harness/os/files.hpp"
#include "harness/os/process.hpp"
#include "harness/ranks/job.hpp"
#include "harness/run/experiment_run.hpp"
#include "harness/run/job.hpp"
#include "harness/run/machine_context.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/request.hpp"
#include "harness/run/rows.hpp"
#include "harness/run/summary.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

std::string announcement(const RunRequest& request, double seconds) {
    const Preset preset = request.options.preset;
    const int processes = protocol(preset).processes;
    const std::string rules =
        fmt::format("{}: preset {}, {} a number", fmt::join(request.experiments, ", "), to_string(preset),
                    processes == 1 ? "one process" : fmt::format("{} processes", processes));
    if (!request.options.ranks.empty())
        return fmt::format("{}; {} ranks, started by {}; sampling takes at most {} min", rules,
                           fmt::join(request.options.ranks, ", "), request.options.launcher,
                           minutes(seconds));
    if (request.options.axes.given())
        return fmt::format("{}; {}; sampling takes at most {} min", rules, request.options.axes.text(),
                           minutes(seconds));
    return fmt::format("{}; about {} min on {}", rules, minutes(seconds),
                       preset == Preset::quick ? "two cores without a GPU" : "an NVIDIA H200 with 16 cores");
}

/// What cannot be measured anywhere, before anything is.
void tell_refused(const RunRequest& request, Progress& progress) {
    if (!request.options.axes.given()) return;  // a preset's are in its summary
    for (const std::string& id : request.experiments) {
        Job job = request.job;
        job.experiment = id;
        for (const Row& row : blank_rows(id, naming_plan(job)))
            if (request.filter.matches(row.name) && !row.reason.empty() && row.reason != not_asked)
                progress.say(fmt::format("{}: cannot run: {}", row.name, row.reason));
    }
}

/// Settings that the study chose for this machine, each line once.
void tell_notes(const Job& job, Progress& progress) {
    std::set<std::string> told;
    for (const Group& group : naming_plan(job).groups)
        for (const Point& point : group.points)
            if (!point.note.empty() && told.insert(point.note).second) progress.say(point.note);
}

/// At once, and without a word where nobody can read it.
void print(const std::string& text) {
    std::fputs(text.c_str(), stdout);
    std::fflush(stdout);
}

void tell_interrupted(Progress& progress, std::size_t kept, const RunOptions& options) {
    progress.say(fmt::format("interrupted: what was measured is kept, {} row{} in {} (INCOMPLETE)", kept,
                             kept == 1 ? "" : "s", options.out.string()));
    progress.say(fmt::format("to go on: the same command again{}", options.fresh ? ", without --fresh" : ""));
}

}  // namespace

int run(const RunOptions& given) {
    const RunRequest request = check_request(with_threads(given));
    const auto& [options, ids, seconds, ceilings_seconds, filter, common] = request;
    const FolderLock lock(options.out);
    catch_interrupts();
    Job job = common;
    const auto elapsed = [start = std::chrono::steady_clock::now()] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    const Schedule schedule(seconds, ceilings_seconds, options.afterwards);
    Progress progress({print, standard_output, elapsed}, schedule, options.verbose);
    progress.say(announcement(request, schedule.total()));
    tell_refused(request, progress);
    progress.doing("measuring the machine's ceilings");
    const json machine = machine_context(job, options.timeout, [&] { progress.tick(); });
    if (const std::string shared = shared_gpus(machine.value("rank_placement", json::array()));
        !shared.empty())
        progress.say(shared);
    if (interrupted()) {
        progress.say("interrupted before anything was measured; the same command begins anew");
        return exit_interrupted;
    }
    const Standards standards{options.preset, protocol(options.preset).processes,
                              text_at(machine["build"], "build_type") == "Release"};
    int code = 0;
    std::size_t kept = 0;
    const bool own = !common.only.empty() || options.axes.given() || !options.ranks.empty();
    FinishedRun finished{{}, !options.filter.empty(), own, 0, options.out.string()};
    for (const std::string& id : ids) {
        Store store(options.out / (id + ".json"), full_context(machine, id, options), standards,
                    options.fresh);
        job.task = "measure";
        job.experiment = id;
        job.ceilings = machine["ceilings"];
        if (machine["gpu"].is_object() && machine["gpu"]["l2_bytes"].is_number())
            job.l2_bytes = machine["gpu"]["l2_bytes"];
        tell_notes(job, progress);
        ExperimentRun experiment(job, store, progress, options.timeout);
        const bool whole = experiment.measure();
        if (whole) experiment.combine(filter, standards);
        store.save(whole && !experiment.died_early() && store.complete());
        kept += store.count(Status::ok) + store.count(Status::estimate);
        if (!whole) {
            tell_interrupted(progress, kept, options);
            return exit_interrupted;
        }
        finished.experiments.push_back(
            {id, study_of(experiments().at(id)), store.file(), store.cpu_stolen()});
        if (store.count(Status::failed) > 0 || experiment.died_early()) code = 1;
    }
    progress.clear();
    finished.seconds = elapsed();
    print(summary(finished, standard_output()));
    return code;
}

}  // namespace gridmark::harness
