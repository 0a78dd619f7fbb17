#include "harness/run/run.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "harness/os/limits.hpp"
#include "harness/os/lock.hpp"
#include "harness/os/output.hpp"
#include "harness/os/process.hpp"
#include "harness/os/streams.hpp"
#include "harness/ranks/job.hpp"
#include "harness/run/company.hpp"
#include "harness/run/experiment_run.hpp"
#include "harness/run/job.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/request.hpp"
#include "harness/run/rows.hpp"
#include "harness/run/summary.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// The next event; else why there is none, in words.
std::string next_event(Process& process, double timeout, const std::function<void()>& meanwhile,
                       json& event) {
    switch (process.next(timeout, event, meanwhile)) {
        case Process::Wait::event:
            try {
                check_event(event);
                return "";
            } catch (const std::exception& error) {
                return fmt::format("{} ({})", damaged_report, error.what());
            }
        case Process::Wait::damaged:
            return damaged_report;
        case Process::Wait::timed_out:
            return "it hung";
        case Process::Wait::interrupted:
            return "it was interrupted";
        case Process::Wait::ended:
            break;
    }
    const std::string why = process.kill_and_explain();
    return why.empty() ? "it ended without a word" : why;
}

/// Machine and ceilings, measured by a child so that a crashing driver costs only them; a crash while the
/// ceilings are measured costs only those. `known` is called when the machine has been read.
json machine_context(const Job& job, double timeout, Progress& progress,
                     const std::function<void(const json&)>& known) {
    const std::function<void()> meanwhile = [&] { progress.tick(); };
    Process process = start(job);
    json machine = {{"build", json::object()}, {"cpu", json::object()},      {"gpu", nullptr},
                    {"topology", nullptr},     {"software", json::object()}, {"reasons", json::object()}};
    json event;
    std::string why = next_event(process, timeout, meanwhile, event);
    if (why.empty() && event["event"] == "context")
        machine = event["context"];
    else
        for (const char* part : {"cpu", "gpu", "topology"})
            machine["reasons"][part] = "reading the machine failed: " + why;
    if (!interrupted()) known(machine);
    if (machine.contains("company"))
        for (const std::string& line : company_lines(machine["company"], job.allow_shared))
            progress.say(line);
    if (why.empty()) why = next_event(process, timeout, meanwhile, event);
    const bool measured = why.empty() && event["event"] == "ceilings";
    machine["ceilings"] = measured ? event["ceilings"] : json::array();
    if (measured && machine.contains("company"))
        for (const json& other : event.value("company", json::array()))
            if (json& seen = machine["company"]["gpu"]; std::ranges::find(seen, other) == seen.end())
                seen.push_back(other);
    if (!measured) machine["reasons"]["ceilings"] = "measuring the ceilings failed: " + why;
    return machine;
}

/// What is lost where the program was compiled for other GPUs; empty where nothing is.
std::string coverage_words(const json& machine) {
    if (!machine["gpu"].is_object()) return {};
    return machine["gpu"].value("served_by", json::object()).value("advice", "");
}

/// A text of an object; "unknown" where it is not there.
std::string text_at(const json& object, const char* key) {
    return object.is_object() && object.value(key, json()).is_string() ? object[key].get<std::string>()
                                                                       : "unknown";
}

/// What must be equal for a later run to continue a file.
std::string resume_key(const json& context, const RunOptions& options) {
    std::string set;
    for (const auto& [key, value] : options.set)
        set += fmt::format("; {} {}", key, value);
    // Rows that are compared are measured in turns: peers cannot be added to what was measured without them.
    if (!options.peers.empty()) set += "; with peers";
    if (options.axes.given()) set += "; axes " + options.axes.text();
    if (options.allow_shared) set += "; shared";
    if (!options.ranks.empty())
        set += fmt::format("; ranks {} by {}", fmt::join(options.ranks, ","), options.launcher);
    return fmt::format(
        "preset {}; seed {}; threads {}; device memory {}{}; build {}; CPU {}; CPUs {}; GPU {}",
        to_string(options.preset), options.seed, options.threads, options.device_memory, set,
        text_at(context["build"], "build_id"), text_at(context["cpu"], "model"),
        text_at(context["cpu"], "affinity"), text_at(context["gpu"], "uuid"));
}

/// The context of an experiment's result file: the machine's, and what was asked for.
json full_context(json context, const std::string& experiment, const RunOptions& options) {
    context["experiment"] = experiment;
    context["machine"] =
        context["gpu"].is_object() ? text_at(context["gpu"], "name") : text_at(context["cpu"], "model");
    context["preset"] = to_string(options.preset);
    context["complete"] = false;
    const std::tm now = fmt::gmtime(std::time(nullptr));
    context["date"] = fmt::format("{:%Y-%m-%d}", now);
    context["time"] = fmt::format("{:%H:%M:%S}", now);
    context["seed"] = options.seed;
    context["hot_refilled"] = true;
    context["ranks"] = options.ranks.empty() ? 1 : *std::ranges::max_element(options.ranks);
    if (!options.ranks.empty()) context["rank_counts"] = options.ranks;
    if (options.axes.given()) context["axes"] = to_json(options.axes);
    if (options.allow_shared) context["allow_shared"] = true;
    context["resume_key"] = resume_key(context, options);
    return context;
}

/// What is measured, how, and how long that takes on such a machine: the study's seconds are of one with a
/// GPU and of one without.
std::string announcement(const RunRequest& request, double seconds, bool gpu) {
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
    return fmt::format("{}; about {} min{}", rules, minutes(seconds), gpu ? ", as with an NVIDIA H100" : "");
}

/// What this process may use of the machine, where that is less than one would think.
void tell_limits(const Threads& team, Progress& progress) {
    if (!team.remark.empty()) progress.say(team.remark);
    if (const auto quota = cpu_quota(); quota && *quota.value < team.threads)
        progress.say(
            fmt::format("a control group grants the time of {:.3g} CPUs: rows of more threads by the "
                        "wall clock are disturbed",
                        *quota.value));
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

/// At once. That nobody can read it is said at the end, when all is measured.
void print(const std::string& text) {
    write_out(text);
    std::fflush(stdout);
}

void tell_interrupted(Progress& progress, std::size_t kept, const RunOptions& options) {
    progress.say(fmt::format("interrupted: what was measured is kept, {} row{} in {} (INCOMPLETE)", kept,
                             kept == 1 ? "" : "s", options.out.string()));
    progress.say(fmt::format("to go on: the same command again{}", options.fresh ? ", without --fresh" : ""));
}

}  // namespace

int run(const RunOptions& given) {
    const Threads team = start_threads(given.threads);
    const RunRequest request = check_request(with_threads(given, team));
    const RunOptions& options = request.options;
    const FolderLock lock(options.out);
    catch_interrupts();
    Job job = request.job;
    const auto elapsed = [start = std::chrono::steady_clock::now()] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    };
    // A damaged file, or what is none, is refused before minutes go into ceilings.
    if (!options.fresh)
        for (const std::string& id : request.experiments) {
            const auto file = options.out / (id + ".json");
            if (std::filesystem::exists(file))
                (void)read_earlier(file);
            else
                check_output(file, "--out");
        }
    FinishedRun finished;
    if (!options.against.empty()) {
        finished.reference = load_result_set(options.against);
        for (auto& [id, file] : finished.reference->files)
            if (experiments().contains(id)) file.rows = complete_rows(id, file);
    }
    Progress progress({print, standard_output, elapsed}, Schedule({}), options.verbose);
    progress.doing("reading the machine");
    const auto known = [&](const json& machine) {
        const bool gpu = machine["gpu"].is_object();
        const double pace = core_pace();
        const Schedule schedule(request.seconds(gpu, pace), request.ceilings.on(gpu, pace),
                                request.options.afterwards);
        progress.expect(schedule);
        progress.say(announcement(request, schedule.total(), gpu));
        tell_limits(team, progress);
        tell_refused(request, progress);
        progress.doing("measuring the machine's ceilings");
    };
    json machine = machine_context(job, options.timeout, progress, known);
    if (!team.remark.empty()) machine["cpu"]["threads_remark"] = team.remark;
    if (const std::string shared = shared_gpus(machine.value("rank_placement", json::array()));
        !shared.empty())
        progress.say(shared);
    if (const std::string lost = coverage_words(machine); !lost.empty()) progress.say(lost);
    if (interrupted()) {
        progress.say("interrupted before anything was measured; the same command begins anew");
        return exit_interrupted;
    }
    const Standards standards{options.preset, protocol(options.preset).processes,
                              text_at(machine["build"], "build_type") == "Release"};
    int code = 0;
    std::size_t kept = 0;
    const bool own = !request.job.only.empty() || options.axes.given() || !options.ranks.empty();
    finished.filtered = !options.filter.empty();
    finished.own = own;
    finished.folder = options.out.string();
    for (const std::string& id : request.experiments) {
        Store store(options.out / (id + ".json"), full_context(machine, id, options), standards,
                    options.fresh);
        job.task = "measure";
        job.experiment = id;
        for (const char* part : {"cpu", "gpu", "ceilings"})
            job.machine[part] = machine[part];
        tell_notes(job, progress);
        ExperimentRun experiment(job, store, progress, options.timeout);
        const bool whole = experiment.measure();
        if (whole) experiment.combine(request.filter, standards);
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
