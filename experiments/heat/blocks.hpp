#pragma once

#include <string>
#include <variant>

#include "harness/settings.hpp"
#include "kernels/heat/cpu.hpp"

namespace gridmark::heat {

/// The words of `blocks` for the thesis's cubes, by their inner level.
constexpr const char *l3_l1 = "l3_l1", *l3_l2 = "l3_l2";

/// How a CPU version cuts the grid: into blocks, or into tiles of several steps; cpu_naive does not.
using Cut = std::variant<std::monostate, Blocking, Wavefront>;

/// Of the settings `blocks`, `outer`, `inner`, `tile` (as XxYxZ) and `streaming` (yes or no) those that the
/// version knows, and for what they leave open the blocks or tiles that suit this machine's caches and so
/// many threads. With `blocks` l3_l1 or l3_l2 they are the thesis's cubes for the caches of its CPU. Throws
/// UsageError.
Cut chosen_cut(const harness::Settings& settings, const CpuVariant& variant, const Problem& problem,
               std::size_t value_bytes, int threads);

/// "64x20x64", as parameters show an extent.
std::string to_string(const Extent& extent);

}  // namespace gridmark::heat
