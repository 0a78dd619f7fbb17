#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/maxwell/work.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "kernels/maxwell/scheme.hpp"

/// One configuration of a version, as a preset or `run --axis` names it.
namespace gridmark::maxwell {

using harness::Point;
using harness::Series;

/// Nodes a side: the largest multiple of 64 whose 15 arrays fit the 2.6 GiB that a card of 2010 gave away.
inline constexpr int published = 320;
/// Threads of the paper's base line.
inline constexpr int base_threads = 11;

template <class T>
double slots(Size size) {
    return static_cast<double>(make_layout<T>(grid_of(size)).size());
}

template <class T>
Point base_point(const std::string& variant, Size size, double values_per_cell);

/// What the kernels of a variant ask of a chip in a step, where each works `times` times on this size.
template <class T>
harness::Demands demands_of(const GpuVariant<T>& kernels, Size size, int times = 1);
/// Whose counts they have: those of the first variant with the same kernels.
template <class T>
std::string counted_as_of(const GpuVariant<T>& kernels);

/// Sizes of the user's own (harness::Experiment).
std::set<std::string> axes();
std::vector<Point> points(const harness::PlanContext& context, const std::string& variant,
                          const harness::Settings& settings);
/// A step of a streamed version through slabs or, several of them, through a window; or a part of it.
template <class T>
Point streamed_point(const harness::PlanContext& context, const std::string& variant, Size size,
                     const harness::Settings& settings);

}  // namespace gridmark::maxwell
