#include "harness/run/experiment_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "harness/os/process.hpp"
#include "harness/run/combined.hpp"
#include "harness/run/job.hpp"
#include "harness/run/request.hpp"

namespace gridmark::harness {

using nlohmann::json;

bool ExperimentRun::measure() {
    progress_.doing(job_.experiment);
    for (job_.process = 0; job_.process < processes_; ++job_.process)
        while (true) {
            const Outcome outcome = one_process();
            if (outcome == Outcome::interrupted) return false;
            if (outcome == Outcome::finished) break;
        }
    // One that died before it told its plan takes no time any more.
    if (!begun_) progress_.experiment(job_.experiment, 1);
    return true;
}

void ExperimentRun::combine(const RowFilter& filter, const Standards& standards) {
    const Plan plan = naming_plan(job_);
    const auto find = [&](const std::string& name) { return store_.find(name); };
    for (const Difference& difference : plan.differences)
        if (filter.matches(difference.name))
            store_.replace(difference_row(job_.experiment, difference, find, standards));
    // After the differences: they may be among what a value is derived from.
    for (const Derived& derived : plan.derived)
        if (filter.matches(derived.name)) store_.replace(derived_row(job_.experiment, derived, find));
}

ExperimentRun::Outcome ExperimentRun::one_process() {
    job_.finished = store_.finished();
    Process process = start(job_);
    under_way_.clear();
    progressed_ = false;
    for (json event;;) {
        switch (process.next(timeout_, event, [this] { progress_.tick(); })) {
            case Process::Wait::event:
                try {
                    check_event(event);
                } catch (const std::exception& error) {
                    return give_up(fmt::format("{} ({})", damaged_report, error.what()));
                }
                if (take(event)) {
                    save();
                    return Outcome::finished;
                }
                // Rows that take no time come by the hundred, and each saving writes the whole file.
                if (!process.has_event()) save();
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
                return give_up("the measuring process ended: " + (why.empty() ? "without a result" : why));
        }
    }
}

bool ExperimentRun::take(const json& event) {
    if (event["event"] == "end") {
        store_.set_clocks(event["clocks"], event["reasons"]);
        return true;
    }
    if (event["event"] == "plan") {
        store_.set_order(event["rows"].get<std::vector<std::string>>());
        expect(event["matching"]);
    } else if (event["event"] == "begin") {
        under_way_ = event["rows"].get<std::vector<std::string>>();
        progress_.measuring(under_way_);
    } else if (event["event"] == "rows") {
        const json clocks_of = event.value("clocks", json::object());  // items() holds on to no temporary
        for (const auto& [group, clocks] : clocks_of.items())
            store_.add_group_clocks(group, clocks);
        keep(event["rows"].get<std::vector<Row>>());
        under_way_.clear();
        progressed_ = true;
    }
    return false;
}

void ExperimentRun::keep(const std::vector<Row>& rows) {
    for (const Row& row : rows)
        store_.add(row);
    unsaved_.insert(unsaved_.end(), rows.begin(), rows.end());
}

void ExperimentRun::save() {
    if (unsaved_.empty()) return;
    store_.save(false);
    const std::vector<Row> rows = std::exchange(unsaved_, {});
    for (const Row& row : rows)
        if (row.disturbed && !row.disturbed->allowed && !std::exchange(told_disturbed_, true))
            progress_.say(
                fmt::format("{}: disturbed: {}; such rows give no verdict (--allow-shared lets them)",
                            row.name, fmt::join(row.disturbed->by, ", ")));
    for (const Row& row : rows)
        progress_.row(*store_.find(row.name), store_.done(row.name));
}

void ExperimentRun::expect(const json& matching) {
    const auto left = std::count_if(matching.begin(), matching.end(),
                                    [&](const json& name) { return is_left(job_, name); });
    if (!begun_) progress_.experiment(job_.experiment, done_before(matching));
    begun_ = true;
    progress_.process(job_.process + 1, processes_, static_cast<std::size_t>(left));
}

double ExperimentRun::done_before(const json& matching) const {
    double done = 0, all = 0;
    for (const std::string name : matching) {
        const Row* row = store_.find(name);
        if (row != nullptr && row->status == Status::skipped) continue;  // it took no time
        ++all;
        if (const auto found = job_.finished.find(name); found != job_.finished.end())
            done += found->second < 0 ? 1.0 : std::min(1.0, static_cast<double>(found->second) / processes_);
    }
    return all > 0 ? done / all : 1.0;
}

ExperimentRun::Outcome ExperimentRun::give_up(const std::string& why) {
    save();
    if (under_way_.empty() && progressed_) return Outcome::again;
    if (under_way_.empty()) {
        progress_.say(job_.experiment + ": " + why);
        died_early_ = true;
        return Outcome::finished;
    }
    std::vector<Row> rows;
    for (const std::string& name : under_way_)
        rows.push_back(failed_row(name, why));
    keep(rows);
    save();
    return Outcome::again;
}

Row ExperimentRun::failed_row(const std::string& name, const std::string& why) const {
    for (Row& row : blank_rows(job_.experiment, naming_plan(job_))) {
        if (row.name != name) continue;
        row.status = Status::failed;
        row.reason = why;
        return row;
    }
    throw std::logic_error("a child measured a row that is not planned: " + name);
}

}  // namespace gridmark::harness
