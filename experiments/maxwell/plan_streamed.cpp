#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "experiments/maxwell/case.hpp"
#include "experiments/maxwell/points.hpp"

namespace gridmark::maxwell {
namespace {

using harness::Group;
using harness::Plan;
using harness::PlanContext;
using harness::Point;
using harness::Preset;
using harness::Series;

constexpr std::size_t most_by_default = std::size_t{8} << 30;

/// Slab depths in a grid of n nodes a side: all over the range at the published size.
std::vector<int> depths(Preset preset, int n) {
    if (n == 128) return {1, 8, 128};
    if (n != published) return {32};
    if (preset == Preset::full) return {1, 2, 4, 16, 64, 320};
    return {16, 64, 320};
}

std::vector<int> streamed_sizes(Preset preset) {
    if (preset == Preset::quick) return {128};
    if (preset == Preset::paper) return {128, published};
    return {128, published, 384, 512};
}

/// Where passes of several steps are measured: 768^3 is more than the device may hold.
std::vector<int> skewed_sizes(Preset preset) {
    if (preset == Preset::quick) return {128};
    if (preset == Preset::paper) return {128, published};
    return {128, published, 512, 768};
}

/// In so much of the device's memory the paper's size is streamed besides: half of what it takes. The paper
/// chooses the depth by the memory.
constexpr std::size_t published_budget = std::size_t{1} << 30;

bool is_among(const std::vector<int>& sizes, int n) {
    return std::find(sizes.begin(), sizes.end(), n) != sizes.end();
}

/// How slabs are chosen: of this depth, or as deep as a budget allows.
struct Choice {
    int depth = 0;
    std::size_t budget = 0;  ///< bytes; 0: the depth is given
    bool with_parts = true;  ///< transfers and kernels by themselves as well
};

/// Throws std::invalid_argument where not even slabs of one plane fit.
template <class T>
Slabs slabs_of(const std::string& variant, int n, const Choice& choice) {
    const int buffers = version_of(variant).buffers;
    if (choice.budget == 0) return {n, choice.depth, buffers};
    return slabs_for<T>(make_layout<T>(uniform_grid(n, n, n)), buffers, choice.budget / sizeof(T));
}

/// A streamed version's step, or a part of it, however its planes go through the device.
template <class T>
Point part_point(const PlanContext& context, Point point, int n, const StreamingSchedule& schedule,
                 const Traffic& moved, Part part) {
    const std::string variant = point.variant;
    const double device = point.memory.gpu;
    point.on_gpu = true;
    point.parameters["device_mib"] = std::round(device / 0x1p20);
    point.series = {{Series::Clock::step, Series::Launch::stream}};
    point.samples = 3;
    point.working_set = std::min(point.working_set, device);
    if (part != Part::whole) {
        const std::string word = part == Part::transfers ? "transfers" : "kernels";
        point.add(word, {{"part", word}});
    }
    if (part != Part::kernels) {
        point.uploaded = moved.uploaded;
        point.downloaded = moved.downloaded;
    }
    if (part == Part::transfers) {
        point.bytes = point.uploaded + point.downloaded;
        point.flops = 0;
        point.launches = 0;
    }
    point.prepare = [gpu = context.gpu, threads = context.threads, seed = context.seed, variant, n, schedule,
                     part] { return streamed_work<T>(*gpu, variant, n, schedule, part, threads, seed); };
    return point;
}

template <class T>
const GpuVariant<T>& kernels_of(const std::string& variant) {
    return *find_gpu_variant<T>(launch::Executor::host, version_of(variant).kernels);
}

template <class T>
Point slabs_point(const PlanContext& context, const std::string& variant, int n, const Choice& choice,
                  Part part) {
    const auto& kernels = kernels_of<T>(variant);
    Point point = base_point<T>(variant, n, kernels.values_per_cell);
    Slabs slabs{n, 1, version_of(variant).buffers};
    try {
        slabs = slabs_of<T>(variant, n, choice);
    } catch (const std::invalid_argument& error) {
        point.unavailable = std::string("--device-memory: ") + error.what();
    }
    const Layout layout = make_layout<T>(uniform_grid(n, n, n));
    point.add(fmt::format("{}_layers", slabs.depth), {{"slab_depth", slabs.depth}});
    if (choice.budget > 0 && slabs.depth < n) point.add("by_budget", {{"chosen_by", "budget"}});
    // A sample is two steps, so that what one step leaves to the next is in it.
    point.iterations = 2;
    point.launches = kernels.launches * slabs.count();
    // All versions' fields and pinned coefficients, beside the case.
    point.memory = {.host = case_bytes<T>(n) + (9 + 3 * 6) * sizeof(T) * slots<T>(n),
                    .gpu = static_cast<double>(device_values<T>(layout, slabs) * sizeof(T))};
    return part_point<T>(context, point, n, slabs, traffic<T>(layout, slabs), part);
}

/// Whether a version is measured at a choice, and its parts as well: the paper's own at few.
bool is_wanted(const Version& version, int n, const Choice& choice, Part part) {
    if (version.skewed) return false;
    if (part != Part::whole && !choice.with_parts) return false;
    if (version.memory == HostMemory::pinned) return true;
    return part == Part::whole && n == published &&
           (choice.budget > 0 || choice.depth == 16 || choice.depth == 64);
}

template <class T>
void add_slabs(Plan& plan, const PlanContext& context, int n) {
    std::vector<Choice> choices;
    if (context.device_memory > 0) {
        choices.push_back({.budget = context.device_memory});
    } else {
        for (const int depth : depths(context.preset, n))
            choices.push_back({.depth = depth});
        if (n == published) choices.push_back({.budget = published_budget, .with_parts = false});
    }
    for (const Choice& choice : choices) {
        Group group{fmt::format("{}/{}/streamed/{}", n, harness::precision_name<T>,
                                choice.budget > 0 ? "budget" : std::to_string(choice.depth)),
                    {}};
        for (const Version& version : streamed_versions)
            for (const Part part : {Part::whole, Part::transfers, Part::kernels})
                if (is_wanted(version, n, choice, part))
                    group.points.push_back(
                        slabs_point<T>(context, std::string(version.name), n, choice, part));
        plan.groups.push_back(std::move(group));
    }
}

/// Several steps per pass through --device-memory. The default is a third of what the whole grid would take,
/// at most 8 GiB.
template <class T>
Point skewed_point(const PlanContext& context, const std::string& variant, int n, Part part) {
    const auto& kernels = kernels_of<T>(variant);
    const Layout layout = make_layout<T>(uniform_grid(n, n, n));
    Point point = base_point<T>(variant, n, kernels.values_per_cell);
    point.working_set = point.bytes;
    const CoefficientSize size = usual_coefficients<T>(kernels.by_index);
    TimeSkew skew = least_time_skew(layout);
    try {
        skew = time_skew_for<T>(layout, size,
                                context.device_memory > 0
                                    ? context.device_memory
                                    : std::min(whole_bytes<T>(layout, size) / 3, most_by_default));
    } catch (const std::invalid_argument& error) {
        point.unavailable = std::string("--device-memory: ") + error.what();
    }
    point.add(fmt::format("{}_steps_a_trip", skew.steps),
              {{"slab_depth", skew.depth}, {"steps_per_pass", skew.steps}, {"chosen_by", "budget"}});
    if (kernels.by_index) point.add("aircraft", {{"case", "aircraft"}});
    // A sample is two passes, so that what one leaves to the next is in it.
    point.iterations = 2 * skew.steps;
    point.launches = (launches(skew) + skew.steps - 1) / skew.steps;
    point.memory = {
        .host = case_bytes<T>(n) + (coefficient_bytes<T>(kernels.by_index) + 6 * sizeof(T)) * slots<T>(n),
        .gpu = static_cast<double>(device_bytes<T>(layout, size, skew))};
    return part_point<T>(context, point, n, skew, traffic<T>(layout, size, skew), part);
}

template <class T>
void add_skewed(Plan& plan, const PlanContext& context, const std::string& variant, int n) {
    Group group{fmt::format("{}/{}/{}", n, harness::precision_name<T>, variant), {}};
    for (const Part part : {Part::whole, Part::transfers, Part::kernels})
        group.points.push_back(skewed_point<T>(context, variant, n, part));
    plan.groups.push_back(std::move(group));
}

}  // namespace

void add_streamed(Plan& plan, const PlanContext& context, int n, bool by_index) {
    if (!by_index && is_among(streamed_sizes(context.preset), n)) add_slabs<float>(plan, context, n);
    for (const Version& version : streamed_versions) {
        const std::string variant(version.name);
        if (version.skewed && kernels_of<float>(variant).by_index == by_index &&
            is_among(skewed_sizes(context.preset), n))
            add_skewed<float>(plan, context, variant, n);
    }
}

void add_timelines(Plan& plan, const PlanContext& context) {
    constexpr int n = 128, depth = 8;
    for (const Version& version : streamed_versions) {
        if (version.skewed || version.memory == HostMemory::pageable) continue;
        const Choice choice =
            context.device_memory > 0 ? Choice{.budget = context.device_memory} : Choice{.depth = depth};
        Point point = slabs_point<float>(context, std::string(version.name), n, choice, Part::whole);
        harness::Timeline timeline{point, point.prepare};
        timeline.add("timeline", {});
        plan.timelines.push_back(timeline);
    }
}

}  // namespace gridmark::maxwell
