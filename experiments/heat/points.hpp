#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/heat/work.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/points.hpp"

/// One configuration of a version, as a preset or `run --axis` names it.
namespace gridmark::heat {

using harness::all_clocks;
using harness::Point;

/// Points a side of the thesis's problem.
inline constexpr int published = 256;

template <class T>
Point base_point(const std::string& variant, Size size);

/// A case (start, poison, reference, and the four doubles a point while it is made) and `stored` further
/// fields.
template <class T>
double host_bytes(Size size, double stored);

/// A CPU version in a group of so many `versions`, with blocks for this machine's caches where the settings
/// `outer`, `inner`, `tile`, `streaming` and `blocks` give none.
template <class T>
Point cpu_point(const harness::PlanContext& context, const CpuVariant& variant, Size size,
                const harness::Team& team, const harness::Settings& cut, double versions);

/// A kernel in a group of so many `versions`.
template <class T>
Point gpu_point(const harness::PlanContext& context, const Kernel& kernel, Size size,
                std::vector<harness::Series> series, std::size_t versions);

/// Sizes of the user's own (harness::Experiment).
std::set<std::string> axes();
std::vector<Point> points(const harness::PlanContext& context, const std::string& variant,
                          const harness::Settings& settings);

}  // namespace gridmark::heat
