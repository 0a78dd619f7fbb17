#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "harness/axes.hpp"
#include "harness/preset.hpp"

namespace gridmark::harness {

struct RunOptions {
    std::vector<std::string> experiments;  ///< empty: all
    Preset preset = Preset::quick;
    std::string filter;  ///< regular expression over row names; empty: all
    std::filesystem::path out = "results/local";
    bool fresh = false;
    int device = 0;
    int threads = 0;                ///< 0: all that this process may use
    std::size_t device_memory = 0;  ///< 0: all that is free
    double timeout = 300;           ///< seconds that a group may go without a word
    std::string against;            ///< a folder of results that the end compares with; empty: none
    double afterwards = 0;          ///< seconds of what the caller does afterwards, for the forecast
    bool allow_shared = false;      ///< rows count although others disturbed them
    bool verbose = false;           ///< tells of skipped rows one by one
    std::uint64_t seed = 1;
    std::map<std::string, std::string> set;  ///< the study's own choices
    std::string peers;            ///< the program that measures other frameworks' versions; empty: none
    Axes axes = {};               ///< the user's own sizes in place of the preset's plan
    std::vector<int> ranks = {};  ///< numbers of ranks that share a grid, in place of the plan
    std::string launcher = "mpirun -n {}";  ///< that starts them
    /// One row by its name, or what it is made of; empty: all.
    std::string row;
    std::filesystem::path from = "results/local";  ///< the folder of results that tells what the row is
};

/// Measures experiments and writes out/<experiment>.json, row by row. Every experiment runs in child
/// processes; what a crash, a hang or Ctrl-C costs is the rows then under way. Returns the exit code: 0 done,
/// 1 a row failed, 3 interrupted. Throws UsageError for bad options, an unwritable folder or a result file
/// that cannot be resumed.
int run(const RunOptions& options);

/// Prints what `run` would measure: each row with its memory or why it cannot run, and about how long it
/// takes. Measures nothing. Throws UsageError like run().
void dry_run(const RunOptions& options);

/// Measures the timed rows of experiments in this process by Google Benchmark: its flags choose, repeat and
/// report (`flags` are its own, "--benchmark_..."). A repetition is one sample of the harness's clocks, of a
/// row that was verified before. No file of results, no stopping rule, no turns: for a look at one kernel.
/// Returns the exit code: 1 when a row failed. Throws UsageError for bad options and flags, and when no row
/// matches.
int benchmark_rows(const RunOptions& options, std::vector<std::string> flags);

}  // namespace gridmark::harness
