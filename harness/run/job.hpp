#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/os/process.hpp"
#include "harness/preset.hpp"

namespace gridmark::harness {

/// What the parent asks of a child process, as JSON on the child's standard input.
struct Job {
    std::string task;  ///< "context" (machine and ceilings) or "measure"
    std::string experiment;
    Preset preset = Preset::quick;
    std::string filter;  ///< regular expression over row names
    int threads = 1, device = 0;
    int cpus = 0;                   ///< that this process may use; 0: no matter
    std::size_t device_memory = 0;  ///< 0: all that is free
    std::uint64_t seed = 1;
    std::map<std::string, std::string> set;  ///< the study's own choices
    int process = 0;                         ///< which of the processes that add samples this one is, from 0
    std::map<std::string, int>
        finished;  ///< rows and how many processes' samples they hold; -1: final whatever comes
    /// Of the machine's context, as the first process read it: "cpu", "gpu" and "ceilings".
    nlohmann::json machine = nlohmann::json::object();
    Peers peers = {};
    Axes axes = {};
    RankOptions ranks = {};
    bool allow_shared = false;      ///< rows count although others disturbed them
    std::vector<std::string> only;  ///< rows by their names; empty: what the filter takes
};

/// Whether the job's process is to measure this row: it lacks this process's samples, and is not final.
bool is_left(const Job& job, const std::string& row);

/// A child process that does the job. Throws std::system_error.
Process start(const Job& job);

nlohmann::json to_json(const Job& job);
Job job_from_json(const nlohmann::json& document);

/// What a child reports, a JSON object a line on file descriptor `event_descriptor`:
///   {"event": "context", "context": {...}}
///   {"event": "ceilings", "ceilings": [...]}
///   {"event": "plan", "rows": [names in order], "matching": [those that the filter takes]}
///   {"event": "begin", "rows": [names that are measured next]}
///   {"event": "rows", "rows": [finished rows]}
///   {"event": "end", "clocks": {...}, "reasons": {...}}
///
/// Checks that what a child reported is one of these, its rows as a result file wants them: a child that
/// overwrites its own memory may say anything. Throws UsageError or nlohmann::json::exception.
void check_event(const nlohmann::json& event);

/// Why a process is given up whose report fails check_event(), or is no JSON at all.
constexpr const char* damaged_report = "what it reported is damaged";

/// The whole life of a child process: reads a job from standard input, does it, reports on
/// `event_descriptor`. Returns the exit code: 0, or `exit_gpu_lost` after a GPU error that only a new process
/// recovers from.
int run_child();

constexpr int exit_gpu_lost = 70;

}  // namespace gridmark::harness
