#include <fmt/format.h>

#include "experiments/pyramid/box.hpp"
#include "experiments/pyramid/computed.hpp"
#include "experiments/pyramid/medium_points.hpp"
#include "experiments/pyramid/points.hpp"
#include "experiments/pyramid/work.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/gpu.hpp"

namespace gridmark::pyramid {
namespace {

using harness::Group;
using harness::Plan;
using harness::PlanContext;
using harness::Preset;

/// Orders that are solved in memory: from one that a launch dominates to one far beyond any cache.
std::vector<std::size_t> orders(Preset preset, bool on_gpu) {
    std::vector<std::size_t> n{std::size_t{1} << 20, std::size_t{1} << 24};
    if (preset == Preset::quick && !on_gpu) n.pop_back();
    if (preset != Preset::quick && on_gpu) n.push_back(std::size_t{1} << 26);
    if (preset == Preset::full) {
        n.push_back(std::size_t{1} << 16);
        if (on_gpu) n.push_back(std::size_t{1} << 28);
    }
    return n;
}

template <class T>
Group solver_group(const PlanContext& context, std::size_t n) {
    Group group{fmt::format("in_memory/{}/{}", n, harness::precision_name<T>), {}};
    for (const GpuVariant<T>& solver : gpu_variants<T>(launch::Executor::host)) {
        if (solver.on_cpu) continue;
        group.points.push_back(in_memory_point<T>(context, std::string(solver.name), n, 1));
    }
    return group;
}

/// Other frameworks' steps, in float, beside what is in the group.
void add_peers(Group& group, const PlanContext& context, std::size_t n, bool on_gpu) {
    harness::add_peers(
        group, context,
        {.study = "pyramid",
         .frameworks = on_gpu ? std::vector<std::string>{"jax", "torch"} : harness::peers_on_cpu,
         .on_gpu = on_gpu,
         .iterations = on_gpu ? 64 : 1,
         .memory = {.host = host_bytes<float>(n, on_gpu ? 4 : 12),
                    .gpu = 16.0 * static_cast<double>(n * sizeof(float))}},
        [n](const std::string& variant) { return base_point<float>(variant, n, 1); },
        [n, seed = context.seed](const harness::Peer& peer) { return peer_work<float>(peer, n, 1, seed); });
}

template <class T>
Group cpu_group(const PlanContext& context, std::size_t n) {
    Group group{fmt::format("in_memory/{}/{}/cpu", n, harness::precision_name<T>), {}};
    for (const CpuVariant& cpu : cpu_variants) {
        group.points.push_back(cpu_point<T>(context, cpu, n, 1, cpu.serial ? 1 : context.threads));
    }
    return group;
}

template <class T>
void add_sweep(Plan& plan, const PlanContext& context, const Sweep& sweep) {
    Group group{sweep.name().substr(std::string("pyramid/").size()), {}};
    for (const int height : sweep.heights)
        for (const Part part : {Part::whole, Part::transfers, Part::kernels})
            if (part == Part::whole || sweep.parts)
                group.points.push_back(sweep_point<T>(context, sweep, height, part, context.threads));
    plan.groups.push_back(std::move(group));
}

void add_sweeps(Plan& plan, const PlanContext& context, const std::vector<Sweep>& sweeps) {
    for (const Sweep& sweep : sweeps)
        sweep.precision == "float" ? add_sweep<float>(plan, context, sweep)
                                   : add_sweep<double>(plan, context, sweep);
}

/// One pass of 16 steps, optimised and as published.
void add_timelines(Plan& plan, const PlanContext& context) {
    constexpr int height = 16;
    for (const char* variant : {"gpu_local_inverse", paper_version}) {
        const Sweep sweep{variant, std::size_t{1} << 26, 1, 64, "float", Rule::minimal, {height}, false};
        const Point point = sweep_point<float>(context, sweep, height, Part::whole, context.threads);
        harness::Timeline timeline{point, point.prepare, height};
        timeline.add("timeline", {});
        plan.timelines.push_back(timeline);
    }
}

template <class T>
void add_in_memory(Plan& plan, const PlanContext& context) {
    for (const bool on_gpu : {true, false})
        for (const std::size_t n : orders(context.preset, on_gpu)) {
            plan.groups.push_back(on_gpu ? solver_group<T>(context, n) : cpu_group<T>(context, n));
            const std::size_t beside_peers = on_gpu ? std::size_t{1} << 24 : std::size_t{1} << 20;
            if (sizeof(T) == sizeof(float) && (n == beside_peers || n == std::size_t{1} << 26))
                add_peers(plan.groups.back(), context, n, on_gpu);
        }
}

}  // namespace

Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    Plan plan;
    add_in_memory<float>(plan, context);
    add_in_memory<double>(plan, context);
    add_media(plan, context);
    add_boxes(plan, context);
    const auto sweeps = gpu_sweeps(context);
    add_sweeps(plan, context, sweeps);
    const auto on_cpu = cpu_sweeps(context);
    add_sweeps(plan, context, on_cpu);
    add_cores(plan, context);
    for (const auto& some : {sweeps, on_cpu})
        for (const Sweep& sweep : some) {
            add_best(plan, sweep);
            add_choice(plan, sweep, context.machine);
        }
    for (const Sweep& sweep : sweeps)
        if (sweep.variant == paper_version) {
            add_models(plan, sweep);
            // Exact counts: one device, where padding weighs most, is enough for the engines and the
            // estimate.
            const bool small = sweep.rule == Rule::paper;
            add_traffic(plan, context, sweep, small);
            if (!small) continue;
            add_estimated_counts(plan, sweep);
            add_host_layers(plan, context, sweep);
        }
    add_timelines(plan, context);
    add_errors(plan, context);
    add_paddings(plan);
    return plan;
}

}  // namespace gridmark::pyramid
