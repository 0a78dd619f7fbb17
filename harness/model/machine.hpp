#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

/// A machine as the model of times sees it: what bounds it, by name.
namespace gridmark::harness {

/// Ceilings in their units, and how much the caches and the multiprocessors of a machine hold.
struct MachineLimits {
    std::string name;
    std::map<std::string, double> ceilings = {};  ///< "gpu_l2_latency": ns, "gpu_copy_bandwidth": GB/s ...
    int multiprocessors = 0;                      ///< 0: no GPU
    double l2_bytes = 0;
    double shared_bytes = 0;                                      ///< of a multiprocessor
    int threads = 2048, blocks = 32, registers = 65536;           ///< that a multiprocessor holds
    double cpu_l1_bytes = 0, cpu_l2_bytes = 0, cpu_l3_bytes = 0;  ///< of a core, of a core, of all
    int cpu_threads = 1;

    std::optional<double> ceiling(const std::string& ceiling_name) const {
        const auto found = ceilings.find(ceiling_name);
        if (found == ceilings.end()) return std::nullopt;
        return found->second;
    }
};

/// Threads, blocks and registers of a multiprocessor, by the compute capability ("9.0"); as they are where it
/// is unknown. Source: CUDA C++ Programming Guide, technical specifications per compute capability.
void set_capacity(MachineLimits& limits, const std::string& compute_capability);

/// From the context of a result file. What a multiprocessor holds follows from its compute capability.
MachineLimits limits_of(const nlohmann::json& context);

}  // namespace gridmark::harness
