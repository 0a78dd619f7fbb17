#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/experiment.hpp"

namespace gridmark::harness {

/// Ceilings in their units, and how much the caches and the multiprocessors of a machine hold.
struct MachineLimits {
    std::string name;
    std::map<std::string, double> ceilings = {};  ///< "gpu_l2_latency": ns, "gpu_copy_bandwidth": GB/s ...
    int multiprocessors = 0;                      ///< 0: no GPU
    double l2_bytes = 0;
    double shared_bytes = 0;                                      ///< of a multiprocessor
    int threads = 2048, blocks = 32;                              ///< that a multiprocessor holds
    double cpu_l1_bytes = 0, cpu_l2_bytes = 0, cpu_l3_bytes = 0;  ///< of a core, of a core, of all

    std::optional<double> ceiling(const std::string& ceiling_name) const {
        const auto found = ceilings.find(ceiling_name);
        if (found == ceilings.end()) return std::nullopt;
        return found->second;
    }
};

/// Threads and blocks of a multiprocessor, by the compute capability ("9.0"); as they are where it
/// is unknown. Source: CUDA C++ Programming Guide, technical specifications per compute capability.
void set_capacity(MachineLimits& limits, const std::string& compute_capability);

/// From the context of a result file. What a multiprocessor holds follows from its compute capability.
MachineLimits limits_of(const nlohmann::json& context);

/// How long a step would take if one thing alone bound it.
struct Term {
    std::string ceiling;
    double microseconds;
    /// Operations that each need the one before; the ceiling is then the one that they wait for most.
    bool is_chain = false;
};

/// What the model says of a point by one clock, in microseconds a step.
struct Prediction {
    double time = 0;
    std::vector<Term> terms = {};  ///< the largest first; the first binds
    /// Names of ceilings that the machine lacks, whose terms are left out.
    std::vector<std::string> missing = {};

    const Term& binding() const { return terms.front(); }
};

/// The time of a step: each kernel takes as long as the largest of what it moves, issues and computes at the
/// rates of the machine's ceilings, or as its longest chain of dependent operations, times the waves of
/// blocks that the chip holds; and an empty kernel's time more. No constant is fitted to a row. None where
/// the machine lacks every ceiling that could bound it, its chip cannot hold what the point keeps there, or
/// the point declares no kernels (of one that streams data the link alone counts then). `resident`: blocks on
/// a multiprocessor, as a row says; none: as many as threads and shared memory allow.
std::optional<Prediction> predict(const Point& point, const Series& series, const MachineLimits& machine,
                                  std::optional<int> resident = std::nullopt);

}  // namespace gridmark::harness
