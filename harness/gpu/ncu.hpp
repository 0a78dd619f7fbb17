#pragma once

#include <string>
#include <vector>

#include "harness/reading.hpp"

namespace gridmark::harness {

/// One counter as a share of another, in percent, for up to nine launches of a kernel (after three to warm
/// the caches), read by running `gridmark solve <arguments>` under the profiler `ncu`, clocks left alone.
/// `kernel` is a part of the kernel's name. The reason says why it cannot be read: no profiler here, counters
/// refused, no such kernel.
Reading<std::vector<double>> profile_share(const std::string& part, const std::string& whole,
                                           const std::string& kernel,
                                           const std::vector<std::string>& arguments, int device);

/// The metric's values from ncu's `--csv --page raw` output; empty when it holds none.
std::vector<double> parse_ncu_csv(const std::string& output, const std::string& metric);

}  // namespace gridmark::harness
