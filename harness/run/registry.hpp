#pragma once

#include <map>
#include <memory>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/results/result_file.hpp"
#include "harness/run/job.hpp"

/// The rows that a study's plan names, and which of them are wanted: what `run`, its child processes and
/// `benchmark` measure.
namespace gridmark::harness {

/// The GPU of a job, or why there is none.
struct Gpu {
    std::unique_ptr<launch::Device> device;
    std::vector<launch::Buffer<unsigned char>> placed;  ///< what lies before the fields of this process
    std::string reason;
    std::size_t free_memory = 0;
};
Gpu open_gpu(const Job& job);

/// What the job's study measures on this machine.
Plan plan_of(const Job& job, const Gpu& gpu);

/// The same, good enough to name rows: nothing of it can be run. Rows that need a GPU are unavailable
/// because of `not_asked`.
Plan naming_plan(const Job& job);
constexpr const char* not_asked = "not asked";

/// The same of a saved file, by its preset and its ceilings; nothing for sizes of the user's own and for
/// published numbers.
Plan naming_plan(const std::string& experiment, const ResultFile& file);
/// The rows of a saved file, and the derived values of its study's plan that it lacks.
std::vector<Row> complete_rows(const std::string& experiment, const ResultFile& file);
/// The plan for as many threads as the file's run had: rows of the CPU as it named and computed them.
Plan threaded_plan(const std::string& experiment, const ResultFile& file);

/// One row that a clock times.
struct TimedRow {
    std::string name;
    const Group* group;
    const Point* point;
    Series series;
};

/// The timed rows that can run here, those of the kernel clock last: CUPTI leaves its hooks in the process,
/// and step times taken after it would pay for them. They refer to the plan.
std::vector<TimedRow> timed_rows(const Plan& plan);
/// All of them, whether they can run here or not, by their names.
std::map<std::string, TimedRow> timed_rows_by_name(const Plan& plan);

/// The rows that `run --filter` leaves: those whose name holds a match of a regular expression. However the
/// expression is made, a match takes time and memory in proportion to its length, never more.
class RowFilter {
  public:
    /// Throws UsageError for what is no regular expression, is longer than 200 characters or needs too much
    /// memory.
    /// With `only`, a row must also have one of these names.
    explicit RowFilter(const std::string& expression, const std::vector<std::string>& only = {});

    bool matches(const std::string& name) const {
        return (only_.empty() || only_.contains(name)) && std::regex_match(name, whole_);
    }

  private:
    std::regex whole_;
    std::set<std::string> only_;
};

}  // namespace gridmark::harness
