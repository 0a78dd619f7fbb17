#include <fmt/format.h>

#include <cmath>

#include "experiments/pyramid/computed.hpp"
#include "experiments/pyramid/peers.hpp"
#include "experiments/pyramid/work.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/gpu.hpp"

namespace gridmark::pyramid {
namespace {

using harness::Group;
using harness::Plan;
using harness::PlanContext;
using harness::Point;
using harness::Preset;
using harness::Series;

/// Both recurrences and the scale: what a step of a value needs at least.
constexpr double flops_per_value = 5;

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
Point base_point(const std::string& variant, std::size_t n, double s) {
    Point point;
    point.variant = variant;
    point.parameters = {
        {"n", static_cast<std::int64_t>(n)}, {"s", s}, {"precision", harness::precision_name<T>}};
    point.bytes = 2.0 * static_cast<double>(n * sizeof(T));
    point.flops = flops_per_value * static_cast<double>(n);
    point.working_set = point.bytes;
    return point;
}

template <class T>
int steps_per_launch(const std::string& variant) {
    const auto* solver = find_gpu_variant<T>(launch::Executor::host, variant);
    return solver == nullptr ? 1 : solver->steps_per_launch.most;
}

/// A case, the field that is read back, and `further` arrays of n values.
template <class T>
double host_bytes(std::size_t n, int further) {
    return static_cast<double>(n * sizeof(T)) * (2 + further);
}

/// Arrays of n values that all solvers of a group need on the GPU; cuSPARSE's diagonals and buffer are ten of
/// them.
constexpr double solver_arrays = 1 + 10 + 2 + 2 + 2;

template <class T>
Group solver_group(const PlanContext& context, std::size_t n) {
    Group group{fmt::format("in_memory/{}/{}", n, harness::precision_name<T>), {}};
    for (const GpuVariant<T>& solver : gpu_variants<T>(launch::Executor::host)) {
        if (solver.on_cpu) continue;
        const std::string variant(solver.name);
        Point point = base_point<T>(variant, n, 1);
        point.name = fmt::format("pyramid/{}/in_memory/{}/{}", variant, n, harness::precision_name<T>);
        point.series = {{Series::Clock::kernel}, {Series::Clock::step, Series::Launch::stream}};
        point.steps = solver.steps_per_launch.most;
        point.share_bytes(point.steps);
        point.on_gpu = true;
        point.memory = {.host = host_bytes<T>(n, 0),
                        .gpu = solver_arrays * static_cast<double>(n * sizeof(T))};
        point.prepare = [gpu = context.gpu, seed = context.seed, variant, n] {
            return in_memory_work<T>(*gpu, variant, n, 1, seed);
        };
        group.points.push_back(std::move(point));
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
        [n](const std::string& variant) {
            Point point = base_point<float>(variant, n, 1);
            point.name = fmt::format("pyramid/{}/in_memory/{}/float", variant, n);
            return point;
        },
        [n, seed = context.seed](const harness::Peer& peer) { return peer_work<float>(peer, n, 1, seed); });
}

template <class T>
Group cpu_group(const PlanContext& context, std::size_t n) {
    Group group{fmt::format("in_memory/{}/{}/cpu", n, harness::precision_name<T>), {}};
    for (const CpuVariant& cpu : cpu_variants) {
        const std::string variant(cpu.name);
        const int threads = cpu.serial ? 1 : context.threads;
        Point point = base_point<T>(variant, n, 1);
        point.name = fmt::format("pyramid/{}/in_memory/{}/{}", variant, n, harness::precision_name<T>);
        point.parameters["threads"] = threads;
        point.series = {{Series::Clock::wall}};
        point.memory.host = host_bytes<T>(n, 2 * 2);
        point.prepare = [seed = context.seed, variant, threads, n] {
            return cpu_work<T>(variant, n, 1, threads, seed);
        };
        group.points.push_back(std::move(point));
    }
    return group;
}

/// A height of a sweep, or a part of it.
template <class T>
Point sweep_point(const Sweep& sweep, int height, Part part) {
    const std::string unavailable_reason = sweep.unavailable_reason(height);
    const Pieces pieces = unavailable_reason.empty() ? sweep.pieces(height) : Pieces{sweep.n, sweep.n, 0};
    Point point = base_point<T>(sweep.variant, sweep.n, sweep.s);
    point.name = fmt::format("{}/h_{}", sweep.name(), height);
    point.unavailable = unavailable_reason;
    point.parameters = sweep.parameters(height);
    if (part != Part::whole) {
        const std::string word = part == Part::transfers ? "transfers" : "kernels";
        point.add(word, {{"part", word}});
    }
    const int launch = steps_per_launch<T>(sweep.variant);
    if (height >= launch) point.share_bytes(launch);
    // A sample is one pass.
    point.iterations = height;
    point.samples = 3;
    if (part != Part::kernels) {
        point.uploaded = static_cast<double>(sweep.n * sizeof(T)) / height;
        point.downloaded = static_cast<double>(pieces.padded() * sizeof(T)) / height;
    }
    if (part == Part::transfers) {
        point.bytes = point.uploaded + point.downloaded;
        point.flops = 0;
    }
    point.working_set = 2 * static_cast<double>(pieces.longest() * sizeof(T));
    return point;
}

template <class T>
void add_sweep(Plan& plan, const PlanContext& context, const Sweep& sweep) {
    const bool on_cpu = sweep.variant == "cpu_pyramid";
    Group group{sweep.name().substr(std::string("pyramid/").size()), {}};
    for (const int height : sweep.heights)
        for (const Part part : {Part::whole, Part::transfers, Part::kernels}) {
            if (part != Part::whole && !sweep.parts) continue;
            Point point = sweep_point<T>(sweep, height, part);
            point.series = {on_cpu ? Series{Series::Clock::wall}
                                   : Series{Series::Clock::step, Series::Launch::stream}};
            point.on_gpu = !on_cpu;
            point.memory = sweep.memory();
            if (on_cpu) point.parameters["threads"] = context.threads;
            point.prepare = [gpu = context.gpu, threads = context.threads, seed = context.seed, sweep, height,
                             part, on_cpu] {
                return streamed_work<T>(on_cpu ? cpu_device() : *gpu, sweep, height, part, threads, seed);
            };
            group.points.push_back(std::move(point));
        }
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
        harness::Timeline timeline{sweep_point<float>(sweep, height, Part::whole)};
        timeline.add("timeline", {});
        timeline.on_gpu = true;
        timeline.memory = sweep.memory();
        timeline.prepare = [gpu = context.gpu, threads = context.threads, seed = context.seed, sweep] {
            return streamed_work<float>(*gpu, sweep, height, Part::whole, threads, seed);
        };
        timeline.iterations = height;
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
    const auto sweeps = gpu_sweeps(context);
    add_sweeps(plan, context, sweeps);
    add_sweeps(plan, context, cpu_sweeps(context));
    add_cores(plan, context);
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
