#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiments/maxwell/case.hpp"
#include "experiments/maxwell/peers.hpp"
#include "experiments/maxwell/points.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
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

/// Threads of the paper's base line.
constexpr int base_threads = 11;

/// Nodes a side. The largest one stands beside time skewing in a part of the memory. It has step times alone,
/// of what does a step in one launch.
constexpr int largest = 768;
std::vector<int> gpu_sizes(Preset preset) {
    if (preset == Preset::quick) return {64, 128};
    if (preset == Preset::paper) return {64, 128, published};
    return {64, 128, 256, published, 384, 512, largest};
}

std::vector<int> cpu_sizes(Preset preset) {
    if (preset == Preset::quick) return {64};
    if (preset == Preset::paper) return {64, 128, published};
    return {64, 128, published, 512};
}

template <class T>
void add_cpu(Plan& plan, const PlanContext& context, int n) {
    Group group{fmt::format("{}/{}/cpu", n, harness::precision_name<T>), {}};
    for (const int threads : std::set<int>{1, base_threads, context.threads}) {
        if (threads == 1 && n > published) continue;
        Point point = base_point<T>("cpu_openmp", n, values_fused);
        point.add(threads == 1              ? "one_thread"
                  : threads == base_threads ? fmt::format("{}_threads", base_threads)
                                            : "all_threads",
                  {{"threads", threads}, {"isa", widest_isa()}});
        point.series = {{Series::Clock::wall}};
        if (threads > context.threads)
            point.unavailable = fmt::format("needs {} threads, there are {}", threads, context.threads);
        point.memory.host = case_bytes<T>(n) + 3 * 6 * sizeof(T) * slots<T>(n);
        point.prepare = [n, threads, seed = context.seed] { return cpu_work<T>(n, threads, seed); };
        group.points.push_back(std::move(point));
    }
    plan.groups.push_back(std::move(group));
}

/// Bytes a node that all these versions take together: coefficients once, fields once or twice each.
template <class T>
double group_bytes(bool by_index) {
    double values = 0;
    for (const auto& kernels : gpu_variants<T>(launch::Executor::host))
        if (kernels.by_index == by_index) values += components * (kernels.step != nullptr ? 2 : 1);
    return values * sizeof(T) + coefficient_bytes<T>(by_index);
}

/// Other frameworks' steps, in float, beside what is in the group.
void add_peers(Group& group, const PlanContext& context, int n, bool on_gpu) {
    // What is handed over is there twice.
    const double values = slots<float>(n) * sizeof(float);
    harness::add_peers(
        group, context,
        {.study = "maxwell",
         .frameworks = on_gpu ? std::vector<std::string>{"jax", "torch"} : harness::peers_on_cpu,
         .on_gpu = on_gpu,
         .iterations = !on_gpu    ? 1
                       : n <= 128 ? 256
                                  : 32,
         .memory = {.host = case_bytes<float>(n) + (on_gpu ? 21 : 100) * values, .gpu = 60 * values}},
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
        if (kernels.by_index != by_index || (n == largest && kernels.step == nullptr)) continue;
        const std::string variant(kernels.name);
        Point point = base_point<T>(variant, n, kernels.values_per_cell);
        if (by_index) point.add("aircraft", {{"case", "aircraft"}});
        point.launches = kernels.step_launches();
        // What a step must move at least, however many kernels it takes.
        point.stepwise_bytes = cube(n) * (by_index ? values_indexed<T> : values_whole) * sizeof(T);
        // A whole step reads one set of fields and writes another.
        if (kernels.step != nullptr) point.working_set = point.bytes;
        point.series = {{Series::Clock::step, Series::Launch::stream}};
        if (n != largest) point.series.push_back({Series::Clock::kernel});
        // Where a step takes milliseconds, launches no longer count.
        if (n <= published) point.series.push_back({Series::Clock::step, Series::Launch::graph});
        point.on_gpu = true;
        point.memory = {.host = case_bytes<T>(n), .gpu = group_bytes<T>(by_index) * slots<T>(n)};
        point.prepare = [gpu = context.gpu, seed = context.seed, variant, n] {
            return in_core_work<T>(*gpu, variant, n, seed);
        };
        group.points.push_back(std::move(point));
    }
    plan.groups.push_back(std::move(group));
}

}  // namespace

Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    Plan plan;
    for (const int n : gpu_sizes(context.preset)) {
        add_in_core<float>(plan, context, n, false);
        if (n == 128 || n == published || n == 384) add_peers(plan.groups.back(), context, n, true);
        add_streamed(plan, context, n, false);
        const auto cpu_at = cpu_sizes(context.preset);
        if (std::find(cpu_at.begin(), cpu_at.end(), n) != cpu_at.end()) {
            add_cpu<float>(plan, context, n);
            if (n == 64) add_peers(plan.groups.back(), context, n, false);
        }
        // All of a body together: it is made once.
        add_in_core<float>(plan, context, n, true);
        add_streamed(plan, context, n, true);
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
