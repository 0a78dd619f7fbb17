#pragma once

#include <set>
#include <string>
#include <vector>

#include "experiments/maxwell/work.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "kernels/maxwell/scheme.hpp"

/// One configuration of a version, as a preset or `run --axis` names it, and the parts of the plan.
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

/// A CPU version on so many threads.
template <class T>
Point cpu_point(const harness::PlanContext& context, const std::string& variant, Size size, int threads,
                Scene scene = Scene::random);

/// A version with everything on the device, in a group that takes so many bytes a node there.
template <class T>
Point in_core_point(const harness::PlanContext& context, const GpuVariant<T>& kernels, Size size,
                    double bytes_per_node, const InCoreOptions& options, std::vector<Series> series);

/// What the kernels of a variant ask of a chip in a step, where each works `times` times on this size.
template <class T>
harness::Demands demands_of(const GpuVariant<T>& kernels, Size size, int times = 1);
/// Whose counts they have: those of the first variant with the same kernels.
template <class T>
std::string counted_as_of(const GpuVariant<T>& kernels);

/// How slabs are chosen: of this depth, or as deep as a budget allows.
struct Choice {
    int depth = 0;
    std::size_t budget = 0;  ///< bytes; 0: the depth is given
    bool with_parts = true;  ///< transfers and kernels by themselves as well
};

/// A step through slabs, or a part of it. Where not even slabs of one plane fit, the point says so.
template <class T>
Point slabs_point(const harness::PlanContext& context, const std::string& variant, Size size,
                  const Choice& choice, Part part);

/// The window of several steps per pass that fits --device-memory. The default is a third of what the whole
/// grid would take, at most 8 GiB. Throws std::invalid_argument where none fits.
template <class T>
TimeSkew skew_by_budget(const harness::PlanContext& context, const std::string& variant, Size size);

/// Several steps per pass through such a window, or a part of them.
template <class T>
Point skewed_point(const harness::PlanContext& context, const std::string& variant, Size size,
                   const TimeSkew& skew, Part part);

/// All that is streamed on n^3 nodes, if anything is in the preset, with coefficients as arrays or by index.
void add_streamed(harness::Plan& plan, const harness::PlanContext& context, int n, bool by_index);
/// The paper's size in half of the memory that it takes, as claim M2 streams it.
void add_streamed_headline(harness::Plan& plan, const harness::PlanContext& context);
/// When the GPU sends, computes and fetches.
void add_timelines(harness::Plan& plan, const harness::PlanContext& context);

/// Sizes of the user's own (harness::Experiment), and those of the streamed versions.
std::set<std::string> axes();
std::vector<Point> points(const harness::PlanContext& context, const std::string& variant,
                          const harness::Settings& settings);
template <class T>
Point streamed_point(const harness::PlanContext& context, const std::string& variant, Size size,
                     const harness::Settings& settings);

}  // namespace gridmark::maxwell
