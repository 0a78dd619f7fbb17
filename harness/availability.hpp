#pragma once

#include <string>

#include "harness/experiment.hpp"

/// Why a solve cannot run here.
namespace gridmark::harness {

/// Throws UsageError, "`what` need ...", unless so many bytes of this machine's memory are free; never where
/// nobody knows how many are.
void require_memory(const std::string& what, double bytes);

/// "float" or "double", the values of the parameter `precision`.
template <class T>
constexpr const char* precision_name = sizeof(T) == sizeof(float) ? "float" : "double";

}  // namespace gridmark::harness
