#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "experiments/maxwell/case.hpp"
#include "experiments/maxwell/peers.hpp"
#include "experiments/maxwell/work.hpp"
#include "harness/experiment.hpp"
#include "harness/obstacle.hpp"
#include "harness/settings.hpp"
#include "kernels/isa.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/scheme.hpp"

namespace gridmark::maxwell {
namespace {

using harness::Group;
using harness::Plan;
using harness::PlanContext;
using harness::Point;
using harness::Preset;
using harness::Series;

/// Nodes a side: the largest multiple of 64 whose 15 arrays fit the 2.6 GiB that a card of 2010 gave away,
/// and smaller and larger ones.
constexpr int published = 320;
/// Threads of the paper's base line.
constexpr int base_threads = 11;

std::vector<int> gpu_sizes(Preset preset) {
    if (preset == Preset::quick) return {64, 128};
    if (preset == Preset::paper) return {64, 128, published};
    return {64, 128, 256, published, 384, 512, 768};
}

std::vector<int> cpu_sizes(Preset preset) {
    if (preset == Preset::quick) return {64};
    if (preset == Preset::paper) return {64, 128, published};
    return {64, 128, published, 512};
}

/// Depths of slabs in a grid of n nodes a side: all over the range at the published size.
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

double cube(int n) {
    return static_cast<double>(n) * n * n;
}

template <class T>
double slots(int n) {
    return static_cast<double>(make_layout<T>(uniform_grid(n, n, n)).size());
}

template <class T>
Point base_point(const std::string& variant, int n, double values_per_cell) {
    Point point;
    point.name = fmt::format("maxwell/{}/{}x{}x{}/{}", variant, n, n, n, harness::precision_name<T>);
    point.variant = variant;
    point.parameters = {{"nx", n}, {"ny", n}, {"nz", n}, {"precision", harness::precision_name<T>}};
    point.bytes = cube(n) * values_per_cell * sizeof(T);
    point.flops = cube(n) * flops_per_cell;
    point.working_set = cube(n) * 15 * sizeof(T);
    return point;
}

template <class T>
void add_cpu(Plan& plan, const PlanContext& context, int n) {
    Group group{fmt::format("{}/{}/cpu", n, harness::precision_name<T>), {}};
    for (const int threads : std::set<int>{1, base_threads, context.threads}) {
        if (threads == 1 && n > published) continue;
        Point point = base_point<T>("cpu_openmp", n, values_fused);
        point.name += threads == 1              ? "/one_thread"
                      : threads == base_threads ? fmt::format("/{}_threads", base_threads)
                                                : "/all_threads";
        point.parameters["threads"] = threads;
        point.parameters["isa"] = widest_isa();
        point.series = {{Series::Clock::wall}};
        point.unavailable =
            threads > context.threads
                ? fmt::format("needs {} threads, there are {}", threads, context.threads)
                : harness::cpu_obstacle(context, case_bytes<T>(n) + 3 * 6 * sizeof(T) * slots<T>(n));
        point.prepare = [n, threads, seed = context.seed] { return cpu_work<T>(n, threads, seed); };
        group.points.push_back(std::move(point));
    }
    plan.groups.push_back(std::move(group));
}

/// Bytes a node that all these versions take together: coefficients once, fields once or twice each.
template <class T>
double group_bytes(bool by_index) {
    double values = by_index ? 0 : 9;
    for (const auto& kernels : gpu_variants<T>(launch::Executor::host))
        if (kernels.by_index == by_index) values += components * (kernels.step != nullptr ? 2 : 1);
    return values * sizeof(T) + (by_index ? 2 : 0);
}

/// Other frameworks' steps, in float, beside what is in the group.
void add_peers(Group& group, const PlanContext& context, int n, bool on_gpu) {
    // What is handed over is there twice.
    const double values = slots<float>(n) * sizeof(float);
    harness::add_peers(
        group, context,
        {.study = "maxwell",
         .frameworks = {"jax", "torch"},
         .on_gpu = on_gpu,
         .iterations = !on_gpu    ? 1
                       : n <= 128 ? 256
                                  : 32,
         .gpu_bytes = 60 * values,
         .host_bytes = case_bytes<float>(n) + (on_gpu ? 21 : 100) * values},
        [n](const std::string& variant) { return base_point<float>(variant, n, values_fused); },
        [n, seed = context.seed](const harness::Peer& peer) { return peer_work<float>(peer, n, seed); });
}

/// Versions with everything on the device. Those that take coefficients by index stand by themselves: they
/// need another body.
template <class T>
void add_in_core(Plan& plan, const PlanContext& context, int n, bool by_index) {
    Group group{fmt::format("{}/{}/in_core{}", n, harness::precision_name<T>, by_index ? "/aircraft" : ""),
                {}};
    for (const auto& kernels : gpu_variants<T>(launch::Executor::host)) {
        if (kernels.by_index != by_index) continue;
        const std::string variant(kernels.name);
        Point point = base_point<T>(variant, n, kernels.values_per_cell);
        if (by_index) {
            point.name += "/aircraft";
            point.parameters["case"] = "aircraft";
        }
        point.launches = kernels.step_launches();
        // A whole step reads one set of fields and writes another.
        if (kernels.step != nullptr) point.working_set = point.bytes;
        point.series = {{Series::Clock::kernel}, {Series::Clock::step, Series::Launch::stream}};
        // Where a step takes milliseconds, launches no longer count.
        if (n <= published) point.series.push_back({Series::Clock::step, Series::Launch::graph});
        point.unavailable =
            harness::gpu_obstacle(context, group_bytes<T>(by_index) * slots<T>(n), case_bytes<T>(n));
        point.prepare = [gpu = context.gpu, seed = context.seed, variant, n] {
            return in_core_work<T>(*gpu, variant, n, seed);
        };
        group.points.push_back(std::move(point));
    }
    plan.groups.push_back(std::move(group));
}

/// The slabs of a point: so deep, or as deep as --device-memory allows. Throws std::invalid_argument.
template <class T>
Slabs slabs_of(const PlanContext& context, const std::string& variant, int n, int depth) {
    const int rooms = version_of(variant).rooms;
    if (context.device_memory == 0) return {n, depth, rooms};
    return slabs_for<T>(make_layout<T>(uniform_grid(n, n, n)), rooms, context.device_memory / sizeof(T));
}

/// A streamed version's step, or a part of it.
template <class T>
Point streamed_point(const PlanContext& context, const std::string& variant, int n, int depth, Part part) {
    const auto& kernels = *find_gpu_variant<T>(launch::Executor::host, version_of(variant).kernels);
    Point point = base_point<T>(variant, n, kernels.values_per_cell);
    Slabs slabs{n, 1, version_of(variant).rooms};
    try {
        slabs = slabs_of<T>(context, variant, n, depth);
    } catch (const std::invalid_argument& error) {
        point.unavailable = std::string("--device-memory: ") + error.what();
    }
    const Layout layout = make_layout<T>(uniform_grid(n, n, n));
    const double device = static_cast<double>(device_values<T>(layout, slabs) * sizeof(T));
    point.name += fmt::format("/{}_layers", slabs.depth);
    point.parameters["layers"] = slabs.depth;
    point.parameters["device_mib"] = std::round(device / 0x1p20);
    point.series = {{Series::Clock::step, Series::Launch::stream}};
    // A sample is two steps, so that what one step leaves to the next is in it.
    point.iterations = 2;
    point.samples = 3;
    point.launches = kernels.launches * slabs.count();
    point.working_set = std::min(point.working_set, device);
    if (part != Part::whole) {
        const std::string word = part == Part::transfers ? "transfers" : "kernels";
        point.name += "/" + word;
        point.parameters["part"] = word;
    }
    if (part != Part::kernels) {
        const Traffic moved = traffic<T>(layout, slabs);
        point.uploaded = moved.uploaded;
        point.downloaded = moved.downloaded;
    }
    if (part == Part::transfers) {
        point.bytes = point.uploaded + point.downloaded;
        point.flops = 0;
        point.launches = 0;
    }
    // Both versions' fields and the coefficients are pinned, beside the case.
    if (point.unavailable.empty())
        point.unavailable =
            harness::gpu_obstacle(context, device, case_bytes<T>(n) + (9 + 2 * 6) * sizeof(T) * slots<T>(n));
    point.prepare = [gpu = context.gpu, threads = context.threads, seed = context.seed, variant, n, slabs,
                     part] { return streamed_work<T>(*gpu, variant, n, slabs, part, threads, seed); };
    return point;
}

template <class T>
void add_streamed(Plan& plan, const PlanContext& context, int n) {
    const auto all = context.device_memory == 0 ? depths(context.preset, n) : std::vector<int>{1};
    for (const int depth : all) {
        Group group{fmt::format("{}/{}/streamed/{}", n, harness::precision_name<T>, depth), {}};
        for (const char* variant : {"gpu_streamed", "gpu_streamed_overlapped"})
            for (const Part part : {Part::whole, Part::transfers, Part::kernels})
                group.points.push_back(streamed_point<T>(context, variant, n, depth, part));
        plan.groups.push_back(std::move(group));
    }
}

/// One step of both streamed versions.
void add_timelines(Plan& plan, const PlanContext& context) {
    constexpr int n = 128, depth = 8;
    for (const char* variant : {"gpu_streamed", "gpu_streamed_overlapped"}) {
        Point point = streamed_point<float>(context, variant, n, depth, Part::whole);
        harness::Timeline timeline;
        timeline.name = point.name + "/timeline";
        timeline.variant = variant;
        timeline.parameters = point.parameters;
        timeline.unavailable = point.unavailable;
        timeline.prepare = point.prepare;
        plan.timelines.push_back(timeline);
    }
}

}  // namespace

Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    Plan plan;
    for (const int n : gpu_sizes(context.preset)) {
        add_in_core<float>(plan, context, n, false);
        if (n == 128 || n == published || n == 384) add_peers(plan.groups.back(), context, n, true);
        add_in_core<float>(plan, context, n, true);
        const auto streamed_at = streamed_sizes(context.preset);
        if (std::find(streamed_at.begin(), streamed_at.end(), n) != streamed_at.end())
            add_streamed<float>(plan, context, n);
        const auto cpu_at = cpu_sizes(context.preset);
        if (std::find(cpu_at.begin(), cpu_at.end(), n) != cpu_at.end()) {
            add_cpu<float>(plan, context, n);
            if (n == 64) add_peers(plan.groups.back(), context, n, false);
        }
    }
    for (const bool by_index : {false, true}) {
        add_in_core<double>(plan, context, 64, by_index);
        if (context.preset == Preset::full) add_in_core<double>(plan, context, published, by_index);
    }
    if (context.preset == Preset::full) {
        add_cpu<double>(plan, context, published);
    }
    add_timelines(plan, context);
    return plan;
}

}  // namespace gridmark::maxwell
