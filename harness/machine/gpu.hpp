#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/expected.hpp"
#include "harness/gpu/nvml.hpp"
#include "harness/gpu/properties.hpp"

namespace gridmark::harness {

/// The `gpu` part of a result file's context for GPU number `ordinal` in CUDA's order, or null where there is
/// none. What cannot be read goes to reasons["gpu..."]. Sizes in bytes, clocks in MHz, power in watts.
nlohmann::json describe_gpu(int ordinal, nlohmann::json& reasons);

/// The same from what was read, for tests.
nlohmann::json describe_gpu(const Expected<GpuProperties>& properties, const NvmlState& state,
                            nlohmann::json& reasons);

/// Clocks, temperature, power and what limits the clocks now, for `context.clocks`: read once before and once
/// after a run, with `path` "clocks.before" and "clocks.after", under which reasons go. Null where there is
/// no GPU.
nlohmann::json read_gpu_clocks(int ordinal, const std::string& path, nlohmann::json& reasons);

}  // namespace gridmark::harness
