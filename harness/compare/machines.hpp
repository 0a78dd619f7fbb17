#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/result_file.hpp"

/// What the contexts of result sets say about the machines and their state.
namespace gridmark::harness {

/// What differs between the machines, programs and presets of two sets, by the experiments that both have: a
/// set's experiments need not have been measured on one machine. Each difference is {"key", "base", "new",
/// "experiments"}: "gpu.name", its value on either side (null where a side has none), and the experiments
/// that it holds for, null where it is all of them.
nlohmann::json machine_differences(const ResultSet& base, const ResultSet& fresh);

/// The text at a path of a context, as "/gpu/name"; empty where there is none or it is no text.
std::string context_text(const nlohmann::json& context, const std::string& path);

/// What machines must have in common so that their CPU times belong together: the CPU's model, its cores,
/// threads, caches and instruction sets. Empty where the model is not known.
std::string cpu_kind(const nlohmann::json& context);

/// The program: its commit, marked where it was built from changed files. Empty where it is not known.
std::string program_of(const nlohmann::json& context);

/// A ceiling of a machine.
struct CeilingValue {
    double value;
    std::string unit;
    double cost;  ///< the value of a time, the inverse of a rate: a greater one is slower
};
/// All with a number, by name.
std::map<std::string, CeilingValue> ceilings_of(const nlohmann::json& context);

/// Ceilings that measure one thing have one resource, as "GPU memory" of copy and triad.
std::string resource_of(const std::string& ceiling);

/// What disturbed a run, in words: clocks held down by a fault (judge_clocks), CPU time that went to others,
/// CPUs far from the GPU. Empty if nothing did, or nothing is known.
std::vector<std::string> disturbances(const nlohmann::json& context);

/// What is worth a word and disturbs nothing: a power cap, a link of fewer lanes, what cannot be told.
std::vector<std::string> facts(const nlohmann::json& context);

/// Where a cluster's scheduler put a run: "partition gpu, node n07, GPU 2, job 4711"; empty if none did.
std::string place_of(const nlohmann::json& context);

/// A machine that is slower than equal ones at one resource.
struct Straggler {
    std::size_t set;  ///< its place among the sets given
    std::string experiment, resource;
    std::size_t machines;                ///< how many there are of its model, itself included
    std::optional<std::string> ceiling;  ///< the ceiling that tells most, and how many times slower it is
    double ceiling_ratio = 1;
    std::size_t bound = 0, slower = 0;  ///< rows that the resource bounds, and how many tell
    std::optional<std::string> row;     ///< the one of these that tells most
    double row_ratio = 1;
};

/// Of at least four sets of one GPU model those that stand out, by experiment and resource: at least half of
/// three or more rows that the resource bounds are slower than in the other sets, or its ceilings are where
/// fewer rows tell. Slower means beyond 2 % (3 % for a ceiling alone) and three times the spread of the
/// others. Nodes of a cluster that have no GPU are held against each other by their CPU's resources, from six
/// sets of one program on: beyond the margin (run_margin) of the others.
std::vector<Straggler> stragglers(const std::vector<const ResultSet*>& sets);

/// A set among equal machines, by what it is slowest at.
struct Standing {
    std::size_t set;                   ///< its place among the sets given
    std::size_t machines;              ///< how many there are of its model, itself included
    std::string experiment, resource;  ///< of what it is slowest at
    std::string by;                    ///< the row that tells most, or the ceiling where there are few rows
    double
        ratio;  ///< median of the rows that the resource bounds, or that ceiling / the median of the others
    bool slow;  ///< a straggler, by that resource
};

/// The sets of groups that stragglers() looks at: stragglers first, then the slowest first.
std::vector<Standing> ranking(const std::vector<const ResultSet*>& sets);

}  // namespace gridmark::harness
