#pragma once

#include <fmt/format.h>

#include <string>

#include "experiments/maxwell/work.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "kernels/maxwell/scheme.hpp"

/// What the plan's parts share.
namespace gridmark::maxwell {

/// Nodes a side: the largest multiple of 64 whose 15 arrays fit the 2.6 GiB that a card of 2010 gave away.
inline constexpr int published = 320;

inline double cube(int n) {
    return static_cast<double>(n) * n * n;
}

template <class T>
double slots(int n) {
    return static_cast<double>(make_layout<T>(uniform_grid(n, n, n)).size());
}

template <class T>
harness::Point base_point(const std::string& variant, int n, double values_per_cell) {
    harness::Point point;
    point.name = fmt::format("maxwell/{}/{}x{}x{}/{}", variant, n, n, n, harness::precision_name<T>);
    point.variant = variant;
    point.parameters = {{"nx", n}, {"ny", n}, {"nz", n}, {"precision", harness::precision_name<T>}};
    point.bytes = cube(n) * values_per_cell * sizeof(T);
    point.flops = cube(n) * flops_per_cell;
    point.working_set = cube(n) * 15 * sizeof(T);
    return point;
}

/// All that is streamed on n^3 nodes, if anything is in the preset, with coefficients as arrays or by index.
void add_streamed(harness::Plan& plan, const harness::PlanContext& context, int n, bool by_index);
/// When the GPU sends, computes and fetches.
void add_timelines(harness::Plan& plan, const harness::PlanContext& context);

}  // namespace gridmark::maxwell
