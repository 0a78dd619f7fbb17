#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/pyramid/work.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/gpu.hpp"

/// One configuration of a version, as a preset or `run --axis` names it.
namespace gridmark::pyramid {

using harness::Point;
using harness::Series;

/// What a step of a value needs at least: read and written once, both recurrences and the scale.
template <class T>
constexpr double bytes_per_value = 2 * sizeof(T);
inline constexpr double flops_per_value = 5;

/// A whole rod in memory, without a name for more than variant, order and precision.
template <class T>
Point base_point(const std::string& variant, std::size_t n, double s);

/// A case, the field that is read back, and `further` arrays of n values.
template <class T>
double host_bytes(std::size_t n, int further) {
    return static_cast<double>(n * sizeof(T)) * (2 + further);
}

/// Sizes of the user's own (harness::Experiment).
std::set<std::string> axes();
std::vector<Point> points(const harness::PlanContext& context, const std::string& variant,
                          const harness::Settings& settings);

}  // namespace gridmark::pyramid
