#pragma once

#include <string>

#include "harness/settings.hpp"
#include "kernels/heat/blocking.hpp"

namespace gridmark::heat {

/// The settings `outer`, `inner` (as XxYxZ) and `streaming` (yes or no), and for what they leave open the
/// blocks that suit this machine's caches and so many threads. Throws UsageError.
Blocking chosen_blocking(const harness::Settings& settings, const Problem& problem, std::size_t value_bytes,
                         int threads);

/// "64x20x64", as parameters show an extent.
std::string to_string(const Extent& extent);

}  // namespace gridmark::heat
