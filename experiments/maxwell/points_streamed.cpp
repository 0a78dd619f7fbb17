#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "experiments/maxwell/points.hpp"

namespace gridmark::maxwell {
namespace {

using harness::PlanContext;
using harness::Settings;

constexpr std::size_t most_by_default = std::size_t{8} << 30;

template <class T>
const GpuVariant<T>& kernels_of(const std::string& variant) {
    return *find_gpu_variant<T>(launch::Executor::host, version_of(variant).kernels);
}

/// A streamed version's step through so many slabs, or a part of it, however its planes go through the
/// device.
template <class T>
Point part_point(const PlanContext& context, Point point, Size size, const StreamingSchedule& schedule,
                 const Traffic& moved, Part part, harness::Transfers::Order order, int slabs = 1) {
    const std::string variant = point.variant;
    const double device = point.memory.gpu;
    point.on_gpu = true;
    point.parameters["device_mib"] = std::round(device / 0x1p20);
    point.series = {{Series::Clock::step, Series::Launch::stream}};
    point.samples = 3;
    point.working_set = std::min(point.working_set, device);
    point.transfers = {.uploaded = moved.uploaded,
                       .downloaded = moved.downloaded,
                       .copies_up = moved.copies_up,
                       .copies_down = moved.copies_down,
                       .pageable = version_of(variant).memory == HostMemory::pageable,
                       .order = order};
    const GpuVariant<T>& kernels = kernels_of<T>(variant);
    point.demands = demands_of(kernels, {(size.nx + slabs - 1) / slabs, size.ny, size.nz}, slabs);
    point.counted_as = counted_as_of(kernels);
    keep_part(point, part);
    point.prepare = [gpu = context.gpu, threads = context.threads, seed = context.seed, variant, size,
                     schedule,
                     part] { return streamed_work<T>(*gpu, variant, size, schedule, part, threads, seed); };
    return point;
}

/// The slab depth that is asked for; 0: none.
int depth_in(const Settings& settings, Size size) {
    const int depth = static_cast<int>(settings.integer("slab_depth", 0, 0, 1 << 16));
    if (depth > size.nx)
        throw std::invalid_argument(fmt::format("slab_depth={}: the grid has {} planes", depth, size.nx));
    return depth;
}

/// Bytes that a version may take on the device.
std::size_t budget_of(const PlanContext& context, const Settings& settings, std::size_t otherwise) {
    if (!settings.has("budget_mib") && context.device_memory == 0) return otherwise;
    return static_cast<std::size_t>(harness::axis_budget(context, settings, 0) * 0x1p20);
}

/// Why a budget is too small.
std::string too_small(const Settings& settings, const std::invalid_argument& error) {
    return fmt::format("{}: {}", settings.has("budget_mib") ? "budget_mib" : "--device-memory", error.what());
}

/// A step through slabs, or a part of it: as deep as is asked for, or else as a budget allows. Where not even
/// slabs of one plane fit, the point says so.
template <class T>
Point slabs_point(const PlanContext& context, const std::string& variant, Size size,
                  const Settings& settings) {
    constexpr int usual_depth = 32;
    const auto& kernels = kernels_of<T>(variant);
    const Layout layout = make_layout<T>(grid_of(size));
    Point point = base_point<T>(variant, size, kernels.values_per_cell);
    const int depth = depth_in(settings, size);
    Slabs slabs{size.nx, depth > 0 ? depth : std::min(usual_depth, size.nx), version_of(variant).buffers};
    const std::size_t budget = budget_of(context, settings, 0);
    bool by_budget = budget > 0;
    try {
        const Slabs deepest = by_budget ? slabs_for<T>(layout, slabs.buffers, budget / sizeof(T)) : slabs;
        by_budget = by_budget && (depth == 0 || depth == deepest.depth);
        if (by_budget) slabs = deepest;
    } catch (const std::invalid_argument& error) {
        if (depth > 0) throw;
        slabs.depth = 1;
        point.unavailable = too_small(settings, error);
    }
    point.add(fmt::format("{}_layers", slabs.depth), {{"slab_depth", slabs.depth}});
    if (by_budget && slabs.depth < size.nx) point.add("by_budget", {{"chosen_by", "budget"}});
    // A sample is two steps, so that what one step leaves to the next is in it.
    point.iterations = 2;
    point.launches = kernels.launches * slabs.count();
    // All versions' fields and pinned coefficients, beside the case.
    point.memory = {.host = case_bytes<T>(size) + (9 + 3 * components) * sizeof(T) * slots<T>(size),
                    .gpu = static_cast<double>(device_values<T>(layout, slabs) * sizeof(T))};
    const bool in_turn = slabs.buffers == synchronous_buffers || slabs.count() == 1;
    using Order = harness::Transfers::Order;
    return part_point<T>(context, point, size, slabs, traffic<T>(layout, slabs), harness::part_of(settings),
                         in_turn ? Order::in_turn : Order::overlapped, slabs.count());
}

/// Several steps per pass, or a part of them: as many in slabs as deep as is asked for, or as the budget
/// allows, which is a third of what the whole grid would take, at most 8 GiB. What differs from the budget's
/// choice is a part of the name.
template <class T>
Point skewed_point(const PlanContext& context, const std::string& variant, Size size,
                   const Settings& settings) {
    const auto& kernels = kernels_of<T>(variant);
    const Layout layout = make_layout<T>(grid_of(size));
    const CoefficientSize coefficients = usual_coefficients<T>(kernels.by_index);
    Point point = base_point<T>(variant, size, kernels.values_per_cell);
    point.working_set = point.bytes;
    TimeSkew skew = least_time_skew(layout);
    try {
        skew =
            time_skew_for<T>(layout, coefficients,
                             budget_of(context, settings,
                                       std::min(whole_bytes<T>(layout, coefficients) / 3, most_by_default)));
    } catch (const std::invalid_argument& error) {
        point.unavailable = too_small(settings, error);
    }
    bool by_budget = true;
    const int depth = depth_in(settings, size),
              steps = static_cast<int>(settings.integer("steps_per_pass", 0, 0, 1 << 16));
    if (depth > 0 || steps > 0) {
        const bool fits = point.unavailable.empty();
        if (!fits && (depth == 0 || steps == 0)) throw std::invalid_argument(point.unavailable);
        const TimeSkew asked =
            make_time_skew(layout, depth > 0 ? depth : skew.depth, steps > 0 ? steps : skew.steps);
        by_budget = fits && asked.depth == skew.depth && asked.steps == skew.steps;
        skew = asked;
        point.unavailable.clear();
    }
    point.add(fmt::format("{}_steps_a_trip", skew.steps),
              {{"slab_depth", skew.depth}, {"steps_per_pass", skew.steps}});
    if (kernels.by_index) point.add("aircraft", {{"case", "aircraft"}});
    if (by_budget) point.parameters["chosen_by"] = "budget";
    // A sample is two passes, so that what one leaves to the next is in it.
    point.iterations = 2 * skew.steps;
    point.launches = (launches(skew) + skew.steps - 1) / skew.steps;
    point.memory = {.host = case_bytes<T>(size) +
                            (coefficient_bytes<T>(kernels.by_index) + 6 * sizeof(T)) * slots<T>(size),
                    .gpu = static_cast<double>(device_bytes<T>(layout, coefficients, skew))};
    point = part_point<T>(context, point, size, skew, traffic<T>(layout, coefficients, skew),
                          harness::part_of(settings), harness::Transfers::Order::overlapped);
    if (!by_budget) point.name += fmt::format("/{}_layers", skew.depth);
    return point;
}

}  // namespace

template <class T>
Point streamed_point(const PlanContext& context, const std::string& variant, Size size,
                     const Settings& settings) {
    const std::string usual = kernels_of<T>(variant).by_index ? "aircraft" : "random";
    if (settings.word("case", usual, {"random", "aircraft"}) != usual)
        throw std::invalid_argument(fmt::format("case: streamed, its is {}", usual));
    return version_of(variant).skewed ? skewed_point<T>(context, variant, size, settings)
                                      : slabs_point<T>(context, variant, size, settings);
}

template Point streamed_point<float>(const PlanContext&, const std::string&, Size, const Settings&);
template Point streamed_point<double>(const PlanContext&, const std::string&, Size, const Settings&);

}  // namespace gridmark::maxwell
