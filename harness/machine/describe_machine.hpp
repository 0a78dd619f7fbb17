#pragma once

#include <nlohmann/json.hpp>

namespace gridmark::harness {

struct MachineOptions {
    int threads = 1;      ///< that the CPU variants use
    int gpu_ordinal = 0;  ///< in CUDA's order
};

/// Where a result comes from: {"cpu", "gpu", "software", "build", "reasons"}, to be merged into a result
/// file's `context`. Nothing throws: what cannot be read is null, with its reason under its dotted path. No
/// host names, user names or paths.
nlohmann::json describe_machine(const MachineOptions& options);

}  // namespace gridmark::harness
