#include <fmt/format.h>

#include <type_traits>

#include "experiments/jacobi/case.hpp"
#include "experiments/jacobi/points.hpp"
#include "experiments/jacobi/work.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "kernels/jacobi/cpu.hpp"

namespace gridmark::jacobi {
namespace {

using harness::Group;
using harness::PlanContext;
using harness::Preset;
using harness::Series;

/// Tilings of the optimised kernels: how far a warp marches, and warps a block. Few rows where points are
/// few, so that all multiprocessors have work.
constexpr Tiling short_marches[] = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {8, 4}};
constexpr Tiling peers_tiling{64, 4};  // beside peers
constexpr Tiling long_marches[] = {{32, 4}, {64, 4}, {64, 8}, {128, 8}, {256, 8}};

constexpr Size beyond_cpu_cache{4096, 4096};  // 201 MB of floats: four times a last-level cache of 48 MiB
constexpr Size beyond_l2{16384, 8192};        // 1.6 GB of floats: far more than four times any L2
constexpr Size of_the_peers{16384, 16384};  // where papers on temporal blocking give their numbers, in float

bool is_tiled_and_optimised(const Kernel& kernel) {
    return kernel.tiled && !is_published(kernel) && !is_ablation(kernel);
}
bool makes_many_steps(const Kernel& kernel) {
    return kernel.steps_per_launch.most > 1;
}
bool marches_many_steps(const Kernel& kernel) {
    return makes_many_steps(kernel) && !kernel.on_chip;
}

template <class T>
Group empty_pair_group(Size size, Tiling tiling) {
    return {fmt::format("{}x{}/{}/32x{}/32x{}", size.nx, size.ny, precision_name<T>, tiling.tile_y,
                        tiling.block_y),
            {}};
}

/// These kernels at one pair of tile and block, each under its own carve-out, by the kernel clock.
template <class T>
void add_kernels(Group& group, const PlanContext& context, bool (*matches)(const Kernel&), Size size,
                 Tiling tiling) {
    for (const Kernel* kernel : kernels_that(matches))
        group.points.push_back(gpu_point<T>(context, std::string(kernel->name), size, tiling,
                                            kernel->carveout, {{Series::Clock::kernel}}));
}

/// Both kernels under both carve-outs at one pair of tile and block; `step` clocks only as the paper ran
/// them. At the paper's size and precision their ablations as well, for claim J6.
template <class T>
Group pair_group(const PlanContext& context, Size size, Tiling tiling) {
    Group group = empty_pair_group<T>(size, tiling);
    const bool small = size.nx == published.nx;
    for (const Kernel* kernel : kernels_that(is_published)) {
        for (Carveout carveout : {Carveout::prefer_shared, Carveout::prefer_l1}) {
            std::vector<Series> series{{Series::Clock::kernel}};
            if (small && carveout == kernel->carveout) {
                series.push_back({Series::Clock::kernel, Series::Launch::none, true});
                series.push_back({Series::Clock::step, Series::Launch::stream});
                series.push_back({Series::Clock::step, Series::Launch::graph});
            }
            group.points.push_back(
                gpu_point<T>(context, std::string(kernel->name), size, tiling, carveout, series));
        }
    }
    if (small && std::is_same_v<T, float>) add_kernels<T>(group, context, is_ablation, size, tiling);
    return group;
}

template <class T>
Group rows_group(const PlanContext& context, Size size) {
    Group group{fmt::format("{}x{}/{}/rows", size.nx, size.ny, precision_name<T>), {}};
    for (const Kernel* kernel : kernels_that(is_tiled_and_optimised))
        for (const Tiling& tiling : size.nx == published.nx ? short_marches : long_marches)
            group.points.push_back(gpu_point<T>(context, std::string(kernel->name), size, tiling,
                                                kernel->carveout, {{Series::Clock::kernel}}));
    return group;
}

/// Other frameworks' sweeps, in float, beside what is in the group.
void add_peers(Group& group, const PlanContext& context, Size size, bool on_gpu) {
    harness::add_peers(
        group, context,
        {.study = "jacobi",
         .frameworks = on_gpu ? std::vector<std::string>{"jax", "torch", "cupy"} : harness::peers_on_cpu,
         .on_gpu = on_gpu,
         .iterations = !on_gpu                   ? 32
                       : size.nx == published.nx ? 4096
                                                 : 64,
         .memory = {.host = 2 * host_bytes<float>(size), .gpu = 24 * size.points() * sizeof(float)}},
        [size](const std::string& variant) { return base_point<float>(variant, size); },
        [size, seed = context.seed](const harness::Peer& peer) {
            return peer_work<float>(peer, size.nx, size.ny, seed);
        });
}

/// The steps of gpu_rows at the large size, for peers alone: its other rows have kernel times.
Group large_peers_group(const PlanContext& context) {
    Group group{fmt::format("{}x{}/float/peers", beyond_l2.nx, beyond_l2.ny), {}};
    group.points.push_back(gpu_point<float>(context, "gpu_rows", beyond_l2, peers_tiling, Carveout::prefer_l1,
                                            {{Series::Clock::step, Series::Launch::graph}}));
    add_peers(group, context, beyond_l2, true);
    return group;
}

/// A version with temporal blocking by itself.
template <class T>
Group many_steps_group(const PlanContext& context, const Kernel& kernel, Size size,
                       bool kernel_alone = false) {
    std::vector<Series> series{{Series::Clock::kernel}};
    if (!kernel_alone) series = all_clocks;
    return {fmt::format("{}x{}/{}/{}", size.nx, size.ny, precision_name<T>, kernel.name),
            {many_steps_point<T>(context, std::string(kernel.name), size, series)}};
}

template <class T>
Group cpu_group(const PlanContext& context, Size size) {
    Group group{fmt::format("{}x{}/{}/cpu", size.nx, size.ny, precision_name<T>), {}};
    for (const CpuVariant<T>& variant : cpu_variants<T>) {
        const std::string name(variant.name);
        group.points.push_back(cpu_point<T>(context, name, size, {"one", 1}));
        if (variant.parallel)
            group.points.push_back(cpu_point<T>(context, name, size, {"all", context.threads}));
    }
    return group;
}

template <class T>
void add_size(harness::Plan& plan, const PlanContext& context, Size size) {
    for (const Tiling& tiling : table_1)
        plan.groups.push_back(pair_group<T>(context, size, tiling));
    plan.groups.push_back(rows_group<T>(context, size));
}

/// Claim J7 at a size that no cache holds, and its other reading: the kernels as published, and every
/// optimised version. `full` measures the same rows and more.
void add_misses(harness::Plan& plan, const PlanContext& context) {
    for (const Tiling& tiling : table_1) {
        plan.groups.push_back(empty_pair_group<float>(beyond_l2, tiling));
        add_kernels<float>(plan.groups.back(), context, is_published, beyond_l2, tiling);
    }
    plan.groups.push_back(rows_group<float>(context, beyond_l2));
    for (const Kernel* kernel : kernels_that(marches_many_steps))
        plan.groups.push_back(many_steps_group<float>(context, *kernel, beyond_l2, true));
}

}  // namespace

harness::Plan plan(const PlanContext& context) {
    const harness::Settings no_keys(context.set, {});
    harness::Plan plan;
    plan.groups.push_back(cpu_group<float>(context, published));
    add_peers(plan.groups.back(), context, published, false);
    plan.groups.push_back(cpu_group<double>(context, published));
    plan.groups.push_back(cpu_group<float>(context, beyond_cpu_cache));
    plan.groups.push_back(cpu_group<double>(context, beyond_cpu_cache));
    add_size<float>(plan, context, published);
    add_size<double>(plan, context, published);
    for (const Kernel* kernel : kernels_that(makes_many_steps)) {
        plan.groups.push_back(many_steps_group<float>(context, *kernel, published));
        // Peers stand beside what is best for a small grid.
        if (kernel->on_chip) add_peers(plan.groups.back(), context, published, true);
        plan.groups.push_back(many_steps_group<double>(context, *kernel, published));
    }
    add_profiled(plan);
    if (context.preset == Preset::paper) add_misses(plan, context);
    if (context.preset == Preset::full) {
        add_size<float>(plan, context, beyond_l2);
        if (!context.peers.program.empty()) plan.groups.push_back(large_peers_group(context));
        plan.groups.push_back(cpu_group<float>(context, beyond_l2));
        add_size<double>(plan, context, beyond_l2);
        plan.groups.push_back(cpu_group<double>(context, beyond_l2));
        plan.groups.push_back(rows_group<float>(context, of_the_peers));
        for (const Kernel* kernel : kernels_that(marches_many_steps)) {
            plan.groups.push_back(many_steps_group<float>(context, *kernel, beyond_l2));
            plan.groups.push_back(many_steps_group<double>(context, *kernel, beyond_l2));
            plan.groups.push_back(many_steps_group<float>(context, *kernel, of_the_peers));
        }
    }
    return plan;
}

}  // namespace gridmark::jacobi
