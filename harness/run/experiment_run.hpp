#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "harness/run/job.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/store.hpp"

namespace gridmark::harness {

/// One experiment's way through its processes.
class ExperimentRun {
  public:
    /// `timeout`: seconds without a word after which a process is given up.
    ExperimentRun(Job job, Store& store, Progress& progress, double timeout)
        : job_(std::move(job)),
          processes_(protocol(job_.preset).processes),
          store_(store),
          progress_(progress),
          timeout_(timeout) {}

    /// All processes; false when interrupted.
    bool measure();
    /// Fills the rows that follow from others; those that `filter` leaves out stay away.
    void combine(const RowFilter& filter, const Standards& standards);
    /// A process ended before it measured anything: there is nothing to blame a row for.
    bool died_early() const { return died_early_; }

  private:
    enum class Outcome { finished, again, interrupted };

    Outcome one_process();
    /// True for the last event.
    bool take(const nlohmann::json& event);
    /// Adds rows to the store, to be saved and told.
    void keep(const std::vector<Row>& rows);
    /// Saves what was kept. Nothing is said of a row before it is on the disk.
    void save();
    void expect(const nlohmann::json& matching);
    /// The share of the rows that an earlier run has measured, by processes.
    double done_before(const nlohmann::json& matching) const;
    /// Fails what the process was measuring and goes on without it; one that measured nothing ends the
    /// experiment.
    Outcome give_up(const std::string& why);
    /// A row that is planned, failed.
    Row failed_row(const std::string& name, const std::string& why) const;

    Job job_;
    int processes_;
    Store& store_;
    Progress& progress_;
    double timeout_;
    std::vector<std::string> under_way_;
    std::vector<Row> unsaved_;

    bool begun_ = false;           // the first process has told its plan
    bool progressed_ = false;      // the process now running finished some rows
    bool told_disturbed_ = false;  // of the first row; the others are in the summary
    bool died_early_ = false;
};

}  // namespace gridmark::harness
