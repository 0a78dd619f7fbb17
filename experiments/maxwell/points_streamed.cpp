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

/// Throws std::invalid_argument where not even slabs of one plane fit.
template <class T>
Slabs slabs_of(const std::string& variant, Size size, const Choice& choice) {
    const int buffers = version_of(variant).buffers;
    if (choice.budget == 0) return {size.nx, choice.depth, buffers};
    return slabs_for<T>(make_layout<T>(grid_of(size)), buffers, choice.budget / sizeof(T));
}

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

}  // namespace

template <class T>
Point slabs_point(const PlanContext& context, const std::string& variant, Size size, const Choice& choice,
                  Part part) {
    const auto& kernels = kernels_of<T>(variant);
    Point point = base_point<T>(variant, size, kernels.values_per_cell);
    Slabs slabs{size.nx, 1, version_of(variant).buffers};
    try {
        slabs = slabs_of<T>(variant, size, choice);
    } catch (const std::invalid_argument& error) {
        point.unavailable = std::string("--device-memory: ") + error.what();
    }
    const Layout layout = make_layout<T>(grid_of(size));
    point.add(fmt::format("{}_layers", slabs.depth), {{"slab_depth", slabs.depth}});
    if (choice.budget > 0 && slabs.depth < size.nx) point.add("by_budget", {{"chosen_by", "budget"}});
    // A sample is two steps, so that what one step leaves to the next is in it.
    point.iterations = 2;
    point.launches = kernels.launches * slabs.count();
    // All versions' fields and pinned coefficients, beside the case.
    point.memory = {.host = case_bytes<T>(size) + (9 + 3 * 6) * sizeof(T) * slots<T>(size),
                    .gpu = static_cast<double>(device_values<T>(layout, slabs) * sizeof(T))};
    const bool in_turn = slabs.buffers == synchronous_buffers || slabs.count() == 1;
    using Order = harness::Transfers::Order;
    return part_point<T>(context, point, size, slabs, traffic<T>(layout, slabs), part,
                         in_turn ? Order::in_turn : Order::overlapped, slabs.count());
}

template <class T>
TimeSkew skew_by_budget(const PlanContext& context, const std::string& variant, Size size) {
    const Layout layout = make_layout<T>(grid_of(size));
    const CoefficientSize coefficients = usual_coefficients<T>(kernels_of<T>(variant).by_index);
    return time_skew_for<T>(layout, coefficients,
                            context.device_memory > 0
                                ? context.device_memory
                                : std::min(whole_bytes<T>(layout, coefficients) / 3, most_by_default));
}

template <class T>
Point skewed_point(const PlanContext& context, const std::string& variant, Size size, const TimeSkew& skew,
                   Part part) {
    const auto& kernels = kernels_of<T>(variant);
    const Layout layout = make_layout<T>(grid_of(size));
    Point point = base_point<T>(variant, size, kernels.values_per_cell);
    point.working_set = point.bytes;
    const CoefficientSize coefficients = usual_coefficients<T>(kernels.by_index);
    point.add(fmt::format("{}_steps_a_trip", skew.steps),
              {{"slab_depth", skew.depth}, {"steps_per_pass", skew.steps}});
    if (kernels.by_index) point.add("aircraft", {{"case", "aircraft"}});
    // A sample is two passes, so that what one leaves to the next is in it.
    point.iterations = 2 * skew.steps;
    point.launches = (launches(skew) + skew.steps - 1) / skew.steps;
    point.memory = {.host = case_bytes<T>(size) +
                            (coefficient_bytes<T>(kernels.by_index) + 6 * sizeof(T)) * slots<T>(size),
                    .gpu = static_cast<double>(device_bytes<T>(layout, coefficients, skew))};
    return part_point<T>(context, point, size, skew, traffic<T>(layout, coefficients, skew), part,
                         harness::Transfers::Order::overlapped);
}

namespace {

/// The slab depth that is asked for; 0: none.
int depth_in(const Settings& settings, Size size) {
    const int depth = static_cast<int>(settings.integer("slab_depth", 0, 0, 1 << 16));
    if (depth > size.nx)
        throw std::invalid_argument(fmt::format("slab_depth={}: the grid has {} planes", depth, size.nx));
    return depth;
}

/// Several steps per pass: as many in slabs as deep as is asked for, or as the budget allows. What differs
/// from the budget's choice is a part of the name.
template <class T>
Point own_skew(const PlanContext& context, const std::string& variant, Size size, const Settings& settings) {
    const int depth = depth_in(settings, size),
              steps = static_cast<int>(settings.integer("steps_per_pass", 0, 0, 1 << 16));
    std::optional<TimeSkew> by_budget;
    std::string why;
    try {
        by_budget = skew_by_budget<T>(context, variant, size);
    } catch (const std::invalid_argument& error) {
        why = error.what();
    }
    if (!by_budget && (depth == 0 || steps == 0)) throw std::invalid_argument("--device-memory: " + why);
    TimeSkew skew = by_budget.value_or(TimeSkew{});
    if (depth > 0 || steps > 0)
        skew = make_time_skew(make_layout<T>(grid_of(size)), depth > 0 ? depth : skew.depth,
                              steps > 0 ? steps : skew.steps);
    Point point = skewed_point<T>(context, variant, size, skew, harness::part_of(settings));
    const bool chosen = by_budget && skew.depth == by_budget->depth && skew.steps == by_budget->steps;
    if (chosen)
        point.parameters["chosen_by"] = "budget";
    else
        point.name += fmt::format("/{}_layers", skew.depth);
    return point;
}

}  // namespace

template <class T>
Point streamed_point(const PlanContext& context, const std::string& variant, Size size,
                     const Settings& settings) {
    const auto& kernels = kernels_of<T>(variant);
    const std::string usual = kernels.by_index ? "aircraft" : "random";
    if (settings.word("case", usual, {"random", "aircraft"}) != usual)
        throw std::invalid_argument(fmt::format("case: streamed, its is {}", usual));
    if (version_of(variant).skewed) return own_skew<T>(context, variant, size, settings);
    constexpr int usual_depth = 32;
    Choice choice{.depth = std::min(usual_depth, size.nx)};
    if (context.device_memory > 0) choice = {.budget = context.device_memory};
    if (const int depth = depth_in(settings, size); depth > 0) {
        const bool is_budgets = choice.budget > 0 && slabs_of<T>(variant, size, choice).depth == depth;
        if (!is_budgets) choice = {.depth = depth};
    }
    return slabs_point<T>(context, variant, size, choice, harness::part_of(settings));
}

#define GRIDMARK_INSTANTIATE(T)                                                                          \
    template Point slabs_point<T>(const PlanContext&, const std::string&, Size, const Choice&, Part);    \
    template TimeSkew skew_by_budget<T>(const PlanContext&, const std::string&, Size);                   \
    template Point skewed_point<T>(const PlanContext&, const std::string&, Size, const TimeSkew&, Part); \
    template Point streamed_point<T>(const PlanContext&, const std::string&, Size, const Settings&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::maxwell
