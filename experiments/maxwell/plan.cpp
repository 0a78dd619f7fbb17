#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "experiments/maxwell/points.hpp"
#include "experiments/maxwell/work.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "kernels/maxwell/accuracy.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/scheme.hpp"

namespace gridmark::maxwell {
namespace {

using harness::Group;
using harness::Plan;
using harness::PlanContext;
using harness::Preset;

/// Nodes a side. The largest one stands beside time skewing in a part of the memory. It has step times alone,
/// of what does a step in one launch.
constexpr int largest = 768;
std::vector<int> gpu_sizes(Preset preset) {
    if (preset == Preset::quick) return {64, 128};
    if (preset == Preset::paper) return {64, 128, published};
    return {64, 128, published, 384, 512, largest};
}

std::vector<int> cpu_sizes(Preset preset) {
    if (preset == Preset::quick) return {64};
    if (preset == Preset::paper) return {64, 128, published};
    return {64, 128, published};
}

/// The paper's CPU code stands beside ours at its size and on its threads alone.
template <class T>
void add_cpu(Plan& plan, const PlanContext& context, int n) {
    Group group{fmt::format("{}/{}/cpu", n, harness::precision_name<T>), {}};
    for (const int threads : std::set<int>{1, base_threads, context.threads}) {
        group.points.push_back(cpu_point<T>(context, "cpu_openmp", n, threads));
    }
    if (n == published && sizeof(T) == sizeof(float))
        for (const char* variant : {"cpu_plain", "cpu_plain_lookup"})
            group.points.push_back(cpu_point<T>(context, variant, n, base_threads));
    plan.groups.push_back(std::move(group));
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

/// What a group of versions in memory holds of a body, and whether it tries out what the paper says.
struct InCoreGroup {
    bool by_index;   ///< and so the aircraft
    bool ablations;  ///< at the paper's size alone
};

/// Bytes a node that all these versions take together: coefficients once, fields once or twice each. Where
/// ablations do not fit as well, the others still may.
template <class T>
double group_bytes(const InCoreGroup& group, bool with_ablations) {
    double values = 0;
    for (const auto& kernels : gpu_variants<T>(launch::Executor::host))
        if (kernels.by_index == group.by_index && (with_ablations || !kernels.ablation))
            values += components * (kernels.step != nullptr ? 2 : 1);
    // Rows without padding bring their own coefficients, a look-up its cells; arrays beside the index theirs.
    if (with_ablations) values += group.by_index ? 2 * components + 9 : components + 9 + 1;
    return values * sizeof(T) + coefficient_bytes<T>(group.by_index);
}

/// A version of the group with the clocks that its size and kind call for.
template <class T>
Point grouped_point(const PlanContext& context, const GpuVariant<T>& kernels, int n, const InCoreGroup& group,
                    const InCoreOptions& options) {
    const bool is_ablation =
        kernels.ablation || options.alignment != row_alignment || (options.scene && !kernels.by_index);
    std::vector<Series> series{{Series::Clock::step, Series::Launch::stream}};
    if (!is_ablation) {
        if (n != largest) series.push_back({Series::Clock::kernel});
        // Where a step takes milliseconds, launches no longer count.
        if (n <= published) series.push_back({Series::Clock::step, Series::Launch::graph});
    }
    return in_core_point<T>(context, kernels, n, group_bytes<T>(group, is_ablation), options,
                            std::move(series));
}

/// Of `quick` the rows of claims M1 and M2: the paper's own versions at its size and the fastest of each
/// kind.
void add_headline(Plan& plan, const PlanContext& context) {
    Group cpu{fmt::format("{}/float/headline/cpu", published), {}},
        in_core{fmt::format("{}/float/headline/in_core", published), {}};
    cpu.points = {cpu_point<float>(context, "cpu_plain", published, base_threads),
                  cpu_point<float>(context, "cpu_openmp", published, context.threads)};
    for (Point& point : cpu.points)
        // It stands beside a GPU's rows alone.
        if (point.unavailable.empty() && context.gpu == nullptr) point.unavailable = context.no_gpu;
    const InCoreGroup which{false, false};
    for (const char* name : {"gpu_in_core", "gpu_in_core_fused", "gpu_single_pass"}) {
        const auto& kernels = *find_gpu_variant<float>(launch::Executor::host, name);
        in_core.points.push_back(in_core_point<float>(
            context, kernels, published, group_bytes<float>(which, false), {.threads = context.threads},
            {{Series::Clock::step, Series::Launch::stream}}));
    }
    plan.groups.push_back(std::move(cpu));
    plan.groups.push_back(std::move(in_core));
    add_streamed_headline(plan, context);
}

/// Versions with everything on the device. Those that take coefficients by index stand by themselves: they
/// need another body.
template <class T>
void add_in_core(Plan& plan, const PlanContext& context, int n, bool by_index) {
    Group group{fmt::format("{}/{}/in_core{}", n, harness::precision_name<T>, by_index ? "/aircraft" : ""),
                {}};
    const InCoreGroup which{by_index, n == published && sizeof(T) == sizeof(float)};
    const InCoreOptions usual{.threads = context.threads};
    for (const auto& kernels : gpu_variants<T>(launch::Executor::host)) {
        if (kernels.by_index != by_index || (n == largest && kernels.step == nullptr)) continue;
        if (kernels.ablation && !which.ablations) continue;
        group.points.push_back(grouped_point<T>(context, kernels, n, which, usual));
    }
    if (which.ablations) {
        const auto add = [&](const char* name, const InCoreOptions& options) {
            const auto& kernels = *find_gpu_variant<T>(launch::Executor::host, name);
            group.points.push_back(grouped_point<T>(context, kernels, n, which, options));
        };
        if (by_index)
            add("gpu_single_pass", {.scene = Scene::aircraft, .threads = context.threads});
        else
            add("gpu_in_core", {.alignment = unaligned, .threads = context.threads});
    }
    plan.groups.push_back(std::move(group));
}

/// The observed orders of the scheme, between 20 and 40 cells a unit of length (a wave is two or so long).
void add_orders(Plan& plan) {
    constexpr int coarse = 20, fine = 40;
    struct Both {
        PlateErrors coarse, fine;
    };
    // Both rows of the plate share two solves.
    const auto plate = std::make_shared<std::optional<Both>>();
    const auto of_plate = [plate](double PlateErrors::*error) {
        if (!*plate) *plate = Both{plate_errors(coarse), plate_errors(fine)};
        return observed_order((*plate)->coarse.*error, (*plate)->fine.*error);
    };
    const auto add = [&](const char* name, const harness::Parameters& parameters,
                         std::function<double()> value) {
        plan.computed.push_back({{.name = fmt::format("maxwell/cpu_openmp/order/{}", name),
                                  .variant = "cpu_openmp",
                                  .parameters = parameters},
                                 "order",
                                 "1",
                                 std::move(value)});
    };
    add("plate/reflected", {{"where", "inside"}, {"wave", "reflected"}, {"precision", "double"}},
        [of_plate] { return of_plate(&PlateErrors::reflected); });
    add("plate/transmitted", {{"where", "inside"}, {"wave", "transmitted"}, {"precision", "double"}},
        [of_plate] { return of_plate(&PlateErrors::transmitted); });
    add("boundary", {{"where", "boundary"}, {"wave", "reflected"}, {"precision", "double"}},
        [] { return observed_order(boundary_reflection(coarse), boundary_reflection(fine)); });
    add("boundary/equation_4",
        {{"where", "boundary"}, {"form", "equation 4"}, {"wave", "reflected"}, {"precision", "double"}},
        [] { return observed_order(mean_boundary_reflection(coarse), mean_boundary_reflection(fine)); });
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
    if (context.preset == Preset::quick) add_headline(plan, context);
    for (const bool by_index : {false, true}) {
        add_in_core<double>(plan, context, 64, by_index);
        if (context.preset == Preset::full) add_in_core<double>(plan, context, published, by_index);
    }
    if (context.preset == Preset::full) {
        add_cpu<double>(plan, context, published);
    }
    add_timelines(plan, context);
    if (context.preset != Preset::quick) add_orders(plan);
    return plan;
}

}  // namespace gridmark::maxwell
