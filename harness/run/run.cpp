#include "harness/run/run.hpp"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <omp.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <ctime>
#include <system_error>

#include "harness/experiment.hpp"
#include "harness/run/child.hpp"
#include "harness/run/derived.hpp"
#include "harness/run/difference.hpp"
#include "harness/run/events.hpp"
#include "harness/run/process.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/request.hpp"
#include "harness/run/store.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// Keeps a second run out of the same folder while it lives.
class FolderLock {
  public:
    explicit FolderLock(const std::filesystem::path& folder) {
        std::error_code error;
        std::filesystem::create_directories(folder, error);
        file_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (file_ < 0 || ::access(folder.c_str(), W_OK) != 0)
            throw UsageError(fmt::format("--out: cannot write to {}", folder.string()));
        if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
            throw UsageError(fmt::format("--out: another run is writing to {}", folder.string()));
    }
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    ~FolderLock() { ::close(file_); }

  private:
    int file_;
};

constexpr const char* damaged_report = "what it reported is damaged";

/// The next event; else why there is none, in words.
std::string next_event(Process& process, double timeout, json& event) {
    switch (process.next(timeout, event)) {
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
/// ceilings are measured costs only those.
json machine_context(const Job& job, double timeout) {
    Process process(job);
    json machine = {{"build", json::object()},
                    {"cpu", json::object()},
                    {"gpu", nullptr},
                    {"software", json::object()},
                    {"reasons", json::object()}};
    json event;
    std::string why = next_event(process, timeout, event);
    if (why.empty() && event["event"] == "context")
        machine = event["context"];
    else
        for (const char* part : {"cpu", "gpu"})
            machine["reasons"][part] = "reading the machine failed: " + why;
    if (why.empty()) why = next_event(process, timeout, event);
    const bool measured = why.empty() && event["event"] == "ceilings";
    machine["ceilings"] = measured ? event["ceilings"] : json::array();
    if (!measured) machine["reasons"]["ceilings"] = "measuring the ceilings failed: " + why;
    return machine;
}

std::string text_at(const json& object, const char* key) {
    return object.is_object() && object.value(key, json()).is_string() ? object[key].get<std::string>()
                                                                       : "unknown";
}

/// What must be equal for a later run to continue a file.
std::string resume_key(const json& context, const RunOptions& options) {
    std::string set;
    for (const auto& [key, value] : options.set)
        set += fmt::format("; {} {}", key, value);
    return fmt::format("preset {}; seed {}; threads {}; device memory {}{}; build {}; CPU {}; GPU {}",
                       to_string(options.preset), options.seed, options.threads, options.device_memory, set,
                       text_at(context["build"], "build_id"), text_at(context["cpu"], "model"),
                       text_at(context["gpu"], "uuid"));
}

json full_context(json context, const std::string& experiment, const RunOptions& options) {
    context["experiment"] = experiment;
    context["machine"] =
        context["gpu"].is_object() ? text_at(context["gpu"], "name") : text_at(context["cpu"], "model");
    context["preset"] = to_string(options.preset);
    context["complete"] = false;
    context["date"] = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    context["seed"] = options.seed;
    context["resume_key"] = resume_key(context, options);
    return context;
}

std::string announcement(const std::vector<std::string>& ids, Preset preset, double seconds) {
    const int launches = protocol(preset).process_launches;
    return fmt::format(
        "{}: preset {}, {} a number; about {} min on {}\nreading the machine and measuring its ceilings",
        fmt::join(ids, ", "), to_string(preset),
        launches == 1 ? "one process" : fmt::format("{} processes", launches), minutes(seconds),
        preset == Preset::quick ? "two cores without a GPU" : "an NVIDIA H200 with 16 cores");
}

/// One experiment's way through its processes.
class ExperimentRun {
  public:
    ExperimentRun(Job job, Store& store, Progress& progress, double timeout)
        : job_(std::move(job)),
          launches_(protocol(job_.preset).process_launches),
          store_(store),
          progress_(progress),
          timeout_(timeout) {}

    /// All process launches; false when interrupted.
    bool measure() {
        for (job_.launch = 0; job_.launch < launches_; ++job_.launch)
            while (true) {
                const Outcome outcome = one_process();
                if (outcome == Outcome::interrupted) return false;
                if (outcome == Outcome::finished) break;
            }
        // One that died before it told its plan takes no time any more.
        if (!begun_) progress_.experiment(job_.experiment, 1);
        return true;
    }

    /// Fills the rows that follow from others; those that `filter` leaves out stay away.
    void combine(const RowFilter& filter, const Standards& standards) {
        const Plan plan = naming_plan(job_);
        for (const Difference& difference : plan.differences)
            if (filter.matches(difference.name))
                store_.replace(difference_row(job_.experiment, difference, store_.find(difference.minuend),
                                              store_.find(difference.subtrahend), standards));
        // After the differences: they may be among what a value is derived from.
        for (const Derived& derived : plan.derived)
            if (filter.matches(derived.name))
                store_.replace(derived_row(job_.experiment, derived,
                                           [&](const std::string& name) { return store_.find(name); }));
    }

    /// A process ended before it measured anything: there is nothing to blame a row for.
    bool died_early() const { return died_early_; }

  private:
    enum class Outcome { finished, again, interrupted };

    Outcome one_process() {
        job_.finished = store_.finished();
        Process process(job_);
        under_way_.clear();
        progressed_ = false;
        for (json event;;) {
            switch (process.next(timeout_, event)) {
                case Process::Wait::event:
                    try {
                        check_event(event);
                    } catch (const std::exception& error) {
                        return give_up(fmt::format("{} ({})", damaged_report, error.what()));
                    }
                    if (take(event)) return Outcome::finished;
                    break;
                case Process::Wait::damaged:
                    return give_up(damaged_report);
                case Process::Wait::interrupted:
                    return Outcome::interrupted;
                case Process::Wait::timed_out:
                    return give_up(fmt::format("timed out: no result within {:g} s", timeout_));
                case Process::Wait::ended:
                    const std::string why = process.kill_and_explain();
                    if (interrupted()) return Outcome::interrupted;
                    if (process.exit_code() == exit_gpu_lost) return Outcome::again;
                    return give_up("the measuring process ended: " +
                                   (why.empty() ? "without a result" : why));
            }
        }
    }

    /// True for the last event.
    bool take(const json& event) {
        if (event["event"] == "end") {
            store_.set_clocks(event["clocks"], event["reasons"]);
            return true;
        }
        if (event["event"] == "plan") {
            store_.set_order(event["rows"].get<std::vector<std::string>>());
            expect(event["matching"]);
        } else if (event["event"] == "begin") {
            under_way_ = event["rows"].get<std::vector<std::string>>();
        } else if (event["event"] == "rows") {
            keep(event["rows"]);
            under_way_.clear();
            progressed_ = true;
        }
        return false;
    }

    /// Nothing is said of a row before it is on the disk.
    void keep(const json& rows) {
        for (const json& row : rows)
            store_.add(row);
        store_.save(false);
        for (const json& row : rows)
            progress_.row(*store_.find(row["name"]));
    }

    void expect(const json& matching) {
        const auto left = std::count_if(matching.begin(), matching.end(),
                                        [&](const json& name) { return is_left(job_, name); });
        if (!begun_) progress_.experiment(job_.experiment, done_before(matching));
        begun_ = true;
        progress_.process(job_.launch + 1, launches_, static_cast<std::size_t>(left));
    }

    /// The share of the rows that an earlier run has measured, by process launches.
    double done_before(const json& matching) const {
        double done = 0;
        for (const json& name : matching)
            if (const auto found = job_.finished.find(name); found != job_.finished.end())
                done +=
                    found->second < 0 ? 1.0 : std::min(1.0, static_cast<double>(found->second) / launches_);
        return matching.empty() ? 1.0 : done / static_cast<double>(matching.size());
    }

    /// Fails what the process was measuring and goes on without it; one that measured nothing ends the
    /// experiment.
    Outcome give_up(const std::string& why) {
        if (under_way_.empty() && progressed_) return Outcome::again;
        if (under_way_.empty()) {
            progress_.say(job_.experiment + ": " + why);
            died_early_ = true;
            return Outcome::finished;
        }
        json rows = json::array();
        for (const std::string& name : under_way_)
            rows.push_back(failed_row(name, why));
        keep(rows);
        return Outcome::again;
    }

    /// A row that is planned, failed.
    json failed_row(const std::string& name, const std::string& why) const {
        for (json& row : blank_rows(job_.experiment, naming_plan(job_))) {
            if (row["name"] != name) continue;
            row["status"] = "failed";
            row["reason"] = why;
            return row;
        }
        throw std::logic_error("a child measured a row that is not planned: " + name);
    }

    Job job_;
    int launches_;
    Store& store_;
    Progress& progress_;
    double timeout_;
    std::vector<std::string> under_way_;

    bool begun_ = false;       // the first process has told its plan
    bool progressed_ = false;  // the process now running finished some rows
    bool died_early_ = false;
};

}  // namespace

int run(const RunOptions& given) {
    RunOptions options = given;
    if (options.threads == 0) options.threads = omp_get_max_threads();
    const auto [ids, seconds, filter, common] = check_request(options);
    const FolderLock lock(options.out);
    catch_interrupts();
    Job job = common;
    Progress progress(::isatty(STDOUT_FILENO) == 1, Schedule(seconds));
    progress.say(announcement(ids, options.preset, Schedule(seconds).total()));
    const json machine = machine_context(job, options.timeout);
    if (interrupted()) {
        progress.say("interrupted before anything was measured");
        return exit_interrupted;
    }
    const Standards standards{options.preset, protocol(options.preset).process_launches,
                              text_at(machine["build"], "build_type") == "Release"};
    int code = 0;
    for (const std::string& id : ids) {
        Store store(options.out / (id + ".json"), full_context(machine, id, options), standards,
                    options.fresh);
        job.task = "measure";
        job.experiment = id;
        job.ceilings = machine["ceilings"];
        ExperimentRun experiment(job, store, progress, options.timeout);
        const bool whole = experiment.measure();
        if (whole) experiment.combine(filter, standards);
        store.save(whole && !experiment.died_early() && store.complete());
        progress.say(fmt::format("{}: {} ok, {} estimates, {} skipped, {} failed{}: {}", id,
                                 store.count("ok"), store.count("estimate"), store.count("skipped"),
                                 store.count("failed"), store.complete() ? "" : "; INCOMPLETE",
                                 store.path().string()));
        if (!whole) {
            progress.say("interrupted: what was measured is kept; run again to go on");
            return exit_interrupted;
        }
        if (store.count("failed") > 0 || experiment.died_early()) code = 1;
    }
    return code;
}

}  // namespace gridmark::harness
