#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "experiments/maxwell/points.hpp"

namespace gridmark::maxwell {
namespace {

using harness::Group;
using harness::Plan;
using harness::PlanContext;
using harness::Preset;

/// Slab depths in a grid of n nodes a side: all over the range at the published size.
std::vector<int> depths(Preset preset, int n) {
    if (n == 128) return {1, 8, 128};
    if (n != published) return {32};
    if (preset == Preset::full) return {1, 4, 16, 64, 320};
    return {16, 64, 320};
}

std::vector<int> streamed_sizes(Preset preset) {
    if (preset == Preset::quick) return {128};
    if (preset == Preset::paper) return {128, published};
    return {128, published, 512};
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

template <class T>
void add_skewed(Plan& plan, const PlanContext& context, const std::string& variant, int n) {
    Group group{fmt::format("{}/{}/{}", n, harness::precision_name<T>, variant), {}};
    TimeSkew skew = least_time_skew(make_layout<T>(grid_of(n)));
    std::string unavailable;
    try {
        skew = skew_by_budget<T>(context, variant, n);
    } catch (const std::invalid_argument& error) {
        unavailable = std::string("--device-memory: ") + error.what();
    }
    for (const Part part : {Part::whole, Part::transfers, Part::kernels}) {
        Point point = skewed_point<T>(context, variant, n, skew, part);
        point.parameters["chosen_by"] = "budget";
        point.unavailable = unavailable;
        group.points.push_back(std::move(point));
    }
    plan.groups.push_back(std::move(group));
}

}  // namespace

void add_streamed(Plan& plan, const PlanContext& context, int n, bool by_index) {
    if (!by_index && is_among(streamed_sizes(context.preset), n)) add_slabs<float>(plan, context, n);
    for (const Version& version : streamed_versions) {
        const std::string variant(version.name);
        const auto& kernels = *find_gpu_variant<float>(launch::Executor::host, version.kernels);
        if (version.skewed && kernels.by_index == by_index && is_among(skewed_sizes(context.preset), n))
            add_skewed<float>(plan, context, variant, n);
    }
}

void add_streamed_headline(Plan& plan, const PlanContext& context) {
    const Choice choice{.budget = context.device_memory > 0 ? context.device_memory : published_budget,
                        .with_parts = false};
    Group group{fmt::format("{}/float/headline/streamed", published), {}};
    for (const char* variant : {"gpu_streamed_pageable", "gpu_streamed_overlapped"})
        group.points.push_back(slabs_point<float>(context, variant, published, choice, Part::whole));
    plan.groups.push_back(std::move(group));
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
