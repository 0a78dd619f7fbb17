#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "experiments/ginzburg_landau/counts.hpp"
#include "experiments/ginzburg_landau/points.hpp"
#include "experiments/ginzburg_landau/work.hpp"
#include "harness/experiment.hpp"
#include "harness/run/rows.hpp"
#include "harness/settings.hpp"
#include "kernels/ginzburg_landau/cpu.hpp"

namespace gridmark::ginzburg_landau {
namespace {

using harness::Group;
using harness::Plan;
using harness::PlanContext;
using harness::Preset;

/// The largest n of a version that keeps all points on the chip: beyond it they would not fit on most
/// devices.
constexpr int largest_on_chip = 1 << 16;

/// Steps of the slides' test; a sample of the step clock is all of them, for versions that the slides have.
constexpr int published_steps = 30000;

bool is_in_the_slides(const std::string& variant) {
    return variant == "gpu_overlap8" || variant == "gpu_overlap8_listing" || variant == "gpu_relaunch";
}

constexpr int throughput = 1 << 22;  // enough blocks for every multiprocessor many times over

bool is_published(int n) {
    return std::find(std::begin(published), std::end(published), n) != std::end(published);
}

/// Sizes of the sweep over n, without the published ones; the last of `full` is more than four times any L2.
std::vector<int> sweep(Preset preset) {
    if (preset == Preset::quick) return {1 << 10, 1 << 12};
    if (preset == Preset::paper) return {1 << 10, 1 << 12, 1 << 16, 1 << 18};
    return {1 << 10, 1 << 12, 1 << 16, 1 << 18, 1 << 20, throughput, 1 << 24};
}

/// Threads a block of the sweep over blocks, without the published one.
std::vector<int> blocks(Preset preset) {
    if (preset == Preset::quick) return {32, 256};
    return {32, 64, 96, 192, 256, 512, 1024};
}

/// All CPU versions in turns; where the size is published also with as many threads as the slides' CPU had
/// cores, or why there are none.
template <class T>
Group cpu_group(const PlanContext& context, int n) {
    Group group{fmt::format("{}/{}/cpu", n, harness::precision_name<T>), {}};
    for (const CpuVariant<T>& entry : cpu_variants<T>) {
        const std::string variant(entry.name);
        if (!entry.parallel) {
            group.points.push_back(cpu_point<T>(context, variant, n, {"one", 1}));
            continue;
        }
        group.points.push_back(cpu_point<T>(context, variant, n, {"all", context.threads}));
        if (!is_published(n) || context.threads == published_threads) continue;
        group.points.push_back(cpu_point<T>(context, variant, n, {"four", published_threads}));
        if (context.threads < published_threads)
            group.points.back().unavailable =
                fmt::format("the slides' CPU had {} cores, and {} threads may be used here",
                            published_threads, context.threads);
    }
    return group;
}

/// Other frameworks' steps beside what is in the group.
template <class T>
void add_peers(Group& group, const PlanContext& context, int n, bool on_gpu) {
    harness::add_peers(
        group, context,
        {.study = "ginzburg_landau",
         .frameworks = on_gpu ? std::vector<std::string>{"jax", "torch"} : harness::peers_on_cpu,
         .on_gpu = on_gpu,
         .iterations = on_gpu ? 4096 : 32,
         .memory = {.host = host_bytes<T>(n, on_gpu ? 8 : 58), .gpu = 80.0 * n * sizeof(T)}},
        [n](const std::string& variant) { return base_point<T>(variant, n); },
        [n, seed = context.seed](const harness::Peer& peer) { return peer_work<T>(peer, n, seed); });
}

/// Whether a version is measured with n points in such blocks: those that take a block in all of them, those
/// of many steps that choose their own beside the published ones.
template <class T>
bool is_measured(const GpuVariant<T>& variant, int n, int block) {
    if (!variant.sweeps) return block == published_block && is_published(n);
    return variant.takes_block || (block == published_block && (!variant.on_chip || n <= largest_on_chip));
}

/// The kernels of one size in turns.
template <class T>
Group gpu_group(const PlanContext& context, int n, int block, const std::vector<Series>& series) {
    Group group{fmt::format("{}/{}/block_{}", n, harness::precision_name<T>, block), {}};
    for (const GpuVariant<T>& variant : gpu_variants<T>(launch::Executor::host)) {
        if (!is_measured(variant, n, block)) continue;
        const std::string name(variant.name);
        group.points.push_back(gpu_point<T>(context, name, n, block, series));
    }
    return group;
}

/// What a step costs beyond its kernels: launches, and the wait of one for the other.
void add_synchronisation(Plan& plan, const Group& group) {
    for (const Point& point : group.points) {
        if (point.steps > 1) continue;
        for (const auto& [series, launch] : {std::pair(stream, "stream"), std::pair(graph, "graph")}) {
            harness::Difference difference{point};
            difference.add(fmt::format("synchronisation/{}", launch), {{"launch", launch}});
            difference.quantity = "synchronisation";
            difference.minuend = harness::row_name(point, series);
            difference.subtrahend = harness::row_name(point, kernel);
            plan.differences.push_back(difference);
        }
    }
}

template <class T>
void plan_in(Plan& plan, const PlanContext& context) {
    for (const int n : published) {
        Group group = gpu_group<T>(context, n, published_block, {kernel, stream, graph});
        if (context.preset != Preset::quick)
            for (Point& point : group.points)
                if (is_in_the_slides(point.variant)) point.iterations = published_steps / point.steps;
        add_synchronisation(plan, group);
        plan.groups.push_back(group);
        plan.groups.push_back(cpu_group<T>(context, n));
        if (n != published[0]) continue;
        add_peers<T>(plan.groups[plan.groups.size() - 2], context, n, true);
        add_peers<T>(plan.groups.back(), context, n, false);
    }
    for (const int n : sweep(context.preset)) {
        plan.groups.push_back(gpu_group<T>(context, n, published_block, {kernel, stream, graph}));
        add_synchronisation(plan, plan.groups.back());
        plan.groups.push_back(cpu_group<T>(context, n));
    }
    for (const int block : blocks(context.preset)) {
        plan.groups.push_back(gpu_group<T>(context, published[0], block, {kernel, graph}));
        if (context.preset == Preset::full)
            plan.groups.push_back(gpu_group<T>(context, throughput, block, {kernel, graph}));
    }
}

/// What the profiler counts of a version while it solves; the metrics are the caller's.
template <class T>
harness::ProfiledPoint profiled_point(const PlanContext& context, const std::string& variant, int n,
                                      int block) {
    harness::ProfiledPoint profiled{gpu_point<T>(context, variant, n, block, {})};
    profiled.memory = {};  // another program's
    profiled.kernel = variant == "gpu_overlap8" ? "step_kernel" : "listing_kernel";
    profiled.solve = {"ginzburg_landau",
                      "--variant",
                      variant,
                      "--set",
                      fmt::format("n={}", n),
                      fmt::format("block={}", block),
                      "steps=12",
                      fmt::format("precision={}", harness::precision_name<T>)};
    return profiled;
}

/// Claim G4: arithmetic instructions a pair of a step.
harness::ProfiledPoint operations(const PlanContext& context, const std::string& variant, int n, int block) {
    auto profiled = profiled_point<double>(context, variant, n, block);
    const auto counter = [](const char* operation) {
        return fmt::format("smsp__sass_thread_inst_executed_op_{}_pred_on.sum", operation);
    };
    profiled.metrics = {{"additions", "a pair", counter("dadd"), "", 1.0 / n},
                        {"multiplications", "a pair", counter("dmul"), "", 1.0 / n},
                        {"fused_multiply_adds", "a pair", counter("dfma"), "", 1.0 / n}};
    return profiled;
}

/// Claims G9 to G11: how the slides' kernel uses memory, by request of a warp. A request of 32 words of 8
/// bytes takes two passes through the banks of shared memory; `bank_conflicts` are the passes that the GPU
/// itself counts as too many.
template <class T>
harness::ProfiledPoint memory_use(const PlanContext& context) {
    auto profiled = profiled_point<T>(context, "gpu_overlap8_listing", published[0], published_block);
    constexpr double a_request = 0.01;  // of a metric with `whole`, which is else in percent
    const std::string shared = "smsp__inst_executed_op_shared_ld.sum",
                      global = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum";
    profiled.metrics = {
        {"shared_passes", "a request", "l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum", shared,
         a_request},
        {"bank_conflicts", "a request", "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum", shared,
         a_request},
        {"global_sectors", "a request", "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum", global, a_request}};
    return profiled;
}

}  // namespace

Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    Plan plan;
    plan_in<double>(plan, context);
    plan_in<float>(plan, context);
    for (const char* variant : {"gpu_overlap8_listing", "gpu_overlap8"})
        plan.profiled.push_back(operations(context, variant, 1024, 1024));  // one block repeats nothing
    plan.profiled.push_back(operations(context, "gpu_overlap8_listing", published[0], published_block));
    for (const int block : {32, 64, published_block, 256, 512, 1024})
        plan.profiled.push_back(operations(context, "gpu_overlap8", published[0], block));
    plan.profiled.push_back(memory_use<double>(context));
    plan.profiled.push_back(memory_use<float>(context));
    for (const int n : published)
        add_counts(plan, n, published_block);
    return plan;
}

}  // namespace gridmark::ginzburg_landau
