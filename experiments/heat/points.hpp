#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/heat/case.hpp"
#include "experiments/heat/stepper.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/points.hpp"

/// One configuration of a version, as a preset or `run --axis` names it. `run --set` gives the cut of CPU
/// versions where no axis does.
namespace gridmark::heat {

using harness::all_clocks;
using harness::Point;

/// Points a side of the thesis's problem.
inline constexpr int published = 256;

/// The keys of `run --set`: how CPU versions cut the grid.
inline const std::set<std::string> cut_keys{"outer", "inner", "tile", "streaming"};

template <class T>
Point base_point(const std::string& variant, Size size);

/// A case (start, poison, reference, and the four doubles a point while it is made) and `stored` further
/// fields.
template <class T>
double host_bytes(Size size, double stored);

/// Sizes of the user's own (harness::Experiment).
std::set<std::string> axes();
std::vector<Point> points(const harness::PlanContext& context, const std::string& variant,
                          const harness::Settings& settings);

}  // namespace gridmark::heat
