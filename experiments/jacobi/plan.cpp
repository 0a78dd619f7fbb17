#include <fmt/format.h>

#include <stdexcept>

#include "experiments/jacobi/case.hpp"
#include "experiments/jacobi/peers.hpp"
#include "experiments/jacobi/work.hpp"
#include "harness/availability.hpp"
#include "harness/experiment.hpp"
#include "harness/settings.hpp"
#include "kernels/jacobi/cpu.hpp"

namespace gridmark::jacobi {
namespace {

using harness::Group;
using harness::PlanContext;
using harness::Point;
using harness::precision_name;
using harness::Preset;
using harness::Series;
using launch::Carveout;

/// Table 1's seven pairs of tile and block, in its order.
constexpr Tiling table_1[] = {{32, 4}, {16, 4}, {8, 4}, {4, 4}, {32, 8}, {16, 8}, {32, 16}};
/// Tilings of the optimised kernels: how far a warp marches, and warps a block. Few rows where points are
/// few, so that all multiprocessors have work.
constexpr Tiling short_marches[] = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {8, 4}};
constexpr Tiling peers_tiling{64, 4};  // beside peers
constexpr Tiling long_marches[] = {{32, 4}, {64, 4}, {64, 8}, {128, 8}, {256, 8}};

struct Size {
    int nx, ny;
    double points() const { return static_cast<double>(nx) * ny; }
};
constexpr Size published{512, 256};
constexpr Size beyond_cpu_cache{4096, 4096};  // 201 MB of floats: four times a last-level cache of 48 MiB
constexpr Size beyond_l2{16384, 8192};        // 1.6 GB of floats: far more than four times any L2
constexpr Size of_the_peers{16384, 16384};  // where papers on temporal blocking give their numbers, in float

const char* carveout_name(Carveout carveout) {
    return carveout == Carveout::prefer_shared ? "shared" : "l1";
}

/// The kernels of a preset follow from the table in kernels/jacobi/gpu_variants.cpp.
using Kernel = GpuVariant<float>;
std::vector<const Kernel*> kernels_that(bool (*matches)(const Kernel&)) {
    std::vector<const Kernel*> kernels;
    for (const Kernel& kernel : gpu_variants<float>(launch::Executor::host))
        if (matches(kernel)) kernels.push_back(&kernel);
    return kernels;
}
bool is_published(const Kernel& kernel) {
    return kernel.origin == launch::Origin::published;
}
bool is_tiled_and_optimised(const Kernel& kernel) {
    return kernel.tiled && !is_published(kernel);
}
bool makes_many_steps(const Kernel& kernel) {
    return kernel.steps_per_launch.most > 1;
}
bool marches_many_steps(const Kernel& kernel) {
    return makes_many_steps(kernel) && !kernel.on_chip;
}

template <class T>
Point base_point(const std::string& variant, Size size) {
    Point point;
    point.name = fmt::format("jacobi/{}/{}x{}/{}", variant, size.nx, size.ny, precision_name<T>);
    point.variant = variant;
    point.parameters = {{"nx", size.nx}, {"ny", size.ny}, {"precision", precision_name<T>}};
    point.bytes = size.points() * bytes_per_point<T>;
    point.flops = size.points() * flops_per_point;
    point.working_set = point.bytes;
    return point;
}

/// A case's fields, its reference while it is made, and three versions' two buffers each.
template <class T>
double host_bytes(Size size) {
    return size.points() * (sizeof(T) * 9.0 + sizeof(double) * 4.0);
}

template <class T>
Point tiled_point(const std::string& variant, Size size, Tiling tiling, Carveout carveout) {
    Point point = base_point<T>(variant, size);
    const std::string tile = fmt::format("32x{}", tiling.tile_y),
                      block = fmt::format("32x{}", tiling.block_y);
    point.add(tile, {{"tile", tile}});
    point.add(block, {{"block", block}});
    point.add(carveout_name(carveout), {{"carveout", carveout_name(carveout)}});
    return point;
}

template <class T>
Point gpu_point(const PlanContext& context, const std::string& variant, Size size, Tiling tiling,
                Carveout carveout, std::vector<Series> series) {
    Point point = tiled_point<T>(variant, size, tiling, carveout);
    point.series = std::move(series);
    point.on_gpu = true;
    // The right-hand sides of this size and the last one, and the two buffers of each of up to five versions.
    point.memory = {.host = host_bytes<T>(size), .gpu = size.points() * sizeof(T) * (2 + 5 * 2)};
    point.prepare = [gpu = context.gpu, seed = context.seed, variant, size, tiling, carveout] {
        return gpu_work<T>(*gpu, variant, size.nx, size.ny, tiling, carveout, seed);
    };
    return point;
}

template <class T>
Point cpu_point(const PlanContext& context, const std::string& variant, Size size, bool all_threads) {
    Point point = base_point<T>(variant, size);
    const int threads = all_threads ? context.threads : 1;
    point.add(all_threads ? "all_threads" : "one_thread",
              {{"team", all_threads ? "all" : "one"}, {"threads", threads}});
    point.series = {{Series::Clock::wall}};
    point.memory.host = host_bytes<T>(size);
    point.prepare = [seed = context.seed, variant, size, threads] {
        return cpu_work<T>(variant, size.nx, size.ny, threads, seed);
    };
    return point;
}

/// Both kernels under both carve-outs at one pair of tile and block; `step` clocks only as the paper ran
/// them.
template <class T>
Group pair_group(const PlanContext& context, Size size, Tiling tiling) {
    Group group{fmt::format("{}x{}/{}/32x{}/32x{}", size.nx, size.ny, precision_name<T>, tiling.tile_y,
                            tiling.block_y),
                {}};
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

/// A version with temporal blocking, which needs no tiling: an iteration is a launch of as many sweeps as it
/// makes at most.
template <class T>
Group many_steps_group(const PlanContext& context, const Kernel& kernel, Size size) {
    const std::string variant(kernel.name);
    Point point = base_point<T>(variant, size);
    point.steps = kernel.steps_per_launch.most;
    point.add(fmt::format("sweeps_{}", point.steps), {});
    point.share_bytes(point.steps);
    point.series = {{Series::Clock::kernel},
                    {Series::Clock::step, Series::Launch::stream},
                    {Series::Clock::step, Series::Launch::graph}};
    point.on_gpu = true;
    // Two fields, the right-hand side, and messages of twice the size of two fields.
    point.memory = {.host = host_bytes<T>(size), .gpu = size.points() * sizeof(T) * 7};
    if (context.gpu != nullptr) {
        try {
            find_gpu_variant<T>(context.gpu->executor(), variant)->check(channel(size.nx, size.ny), {});
        } catch (const std::invalid_argument& error) {
            point.unavailable = error.what();
        }
    }
    point.prepare = [gpu = context.gpu, seed = context.seed, variant, size, carveout = kernel.carveout] {
        return gpu_work<T>(*gpu, variant, size.nx, size.ny, {}, carveout, seed);
    };
    return {fmt::format("{}x{}/{}/{}", size.nx, size.ny, precision_name<T>, variant), {point}};
}

template <class T>
Group cpu_group(const PlanContext& context, Size size) {
    Group group{fmt::format("{}x{}/{}/cpu", size.nx, size.ny, precision_name<T>), {}};
    for (const CpuVariant<T>& variant : cpu_variants<T>) {
        const std::string name(variant.name);
        group.points.push_back(cpu_point<T>(context, name, size, false));
        if (variant.parallel) group.points.push_back(cpu_point<T>(context, name, size, true));
    }
    return group;
}

template <class T>
void add_size(harness::Plan& plan, const PlanContext& context, Size size) {
    for (const Tiling& tiling : table_1)
        plan.groups.push_back(pair_group<T>(context, size, tiling));
    plan.groups.push_back(rows_group<T>(context, size));
}

/// Claim J2: the L1 hit rate, of the sectors that loads from global memory ask for, of the kernel without
/// shared memory at Table 1's configurations.
harness::ProfiledPoint hit_rate(Tiling tiling) {
    harness::ProfiledPoint profiled{
        tiled_point<float>("gpu_no_shared", published, tiling, Carveout::prefer_l1),
        {{.quantity = "l1_hit_rate",
          .unit = "%",
          .counter = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
          .whole = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"}},
        "sweep_kernel",
        {"jacobi", "--variant", "gpu_no_shared", "--set", "nx=512", "--set", "ny=256", "--set",
         "iterations=12", "--set", fmt::format("tile_y={}", tiling.tile_y), "--set",
         fmt::format("block_y={}", tiling.block_y)}};
    profiled.on_gpu = true;
    return profiled;
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
    for (const Tiling& tiling : table_1)
        plan.profiled.push_back(hit_rate(tiling));
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
