#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>

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
    /// The name of the largest of these rates; of the first where none is known.
    std::string best_of(std::span<const char* const> rates) const;
};

/// Bandwidths of one thing by several mixes of reads and writes, or several places of what is read. A bound
/// must hold for any mix, so the best counts.
constexpr const char* memory_mixes[] = {"gpu_copy_bandwidth", "gpu_triad_bandwidth", "gpu_tiles_bandwidth"};
constexpr const char* l2_mixes[] = {"gpu_l2_bandwidth", "gpu_l2_bandwidth_eighth", "gpu_l2_bandwidth_whole"};

/// Threads and blocks of a multiprocessor, by the compute capability ("9.0"); as they are where it
/// is unknown. Source: CUDA C++ Programming Guide, technical specifications per compute capability.
void set_capacity(MachineLimits& limits, const std::string& compute_capability);

/// From the context of a result file. What a multiprocessor holds follows from its compute capability.
MachineLimits limits_of(const nlohmann::json& context);

}  // namespace gridmark::harness
