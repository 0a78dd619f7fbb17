#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/points.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"

/// One configuration of a version, as a preset or `run --axis` names it.
namespace gridmark::ginzburg_landau {

using harness::Point;
using harness::Series;

/// Both readings of the slides' "dimension 32768": of the system of 2 n equations, and of the arrays of n
/// pairs.
inline constexpr int published[] = {16384, 32768};
inline constexpr int published_block = 128;
inline constexpr int published_threads = 4;

inline constexpr Series kernel{Series::Clock::kernel}, stream{Series::Clock::step, Series::Launch::stream},
    graph{Series::Clock::step, Series::Launch::graph};

template <class T>
Point base_point(const std::string& variant, int n);

/// A case with its reference while that is made, and some versions' states.
template <class T>
double host_bytes(int n, double states);

template <class T>
Point cpu_point(const harness::PlanContext& context, const std::string& variant, int n,
                const harness::Team& team);

/// A kernel; its step is a launch of as many steps as it makes at most.
template <class T>
Point gpu_point(const harness::PlanContext& context, const std::string& variant, int n, int block,
                std::vector<Series> series);

/// Sizes of the user's own (harness::Experiment).
std::set<std::string> axes();
std::vector<Point> points(const harness::PlanContext& context, const std::string& variant,
                          const harness::Settings& settings);

}  // namespace gridmark::ginzburg_landau
