#pragma once

#include <string>

#include "harness/experiment.hpp"

/// Why a point of a plan, or a solve, cannot run here.
namespace gridmark::harness {

/// Of a CPU point that needs `host_bytes` of memory; empty if it can run.
std::string cpu_unavailable_reason(const PlanContext& context, double host_bytes);

/// Of a GPU point that needs `gpu_bytes` there and, for its reference, `host_bytes` here; empty if it can
/// run.
std::string gpu_unavailable_reason(const PlanContext& context, double gpu_bytes, double host_bytes);

/// Throws UsageError, "`what` need ...", unless so many bytes of this machine's memory are free.
void require_memory(const std::string& what, double bytes);

/// "float" or "double", the values of the parameter `precision`.
template <class T>
constexpr const char* precision_name = sizeof(T) == sizeof(float) ? "float" : "double";

}  // namespace gridmark::harness
