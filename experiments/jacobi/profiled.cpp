#include "experiments/jacobi/points.hpp"

namespace gridmark::jacobi {
namespace {

constexpr Tiling published_best{32, 8};
constexpr double lanes = 32;  // of a warp

/// A kernel at a configuration of Table 1, as the profiler sees it. Claim J5: instructions that its warps
/// execute, for each point that a lane works.
harness::ProfiledPoint profiled_point(const Kernel& kernel, Tiling tiling) {
    const std::string variant(kernel.name);
    harness::ProfiledPoint profiled{tiled_point<float>(variant, published, tiling, kernel.carveout)};
    profiled.on_gpu = true;
    profiled.metrics = {{.quantity = "instructions",
                         .unit = "a point",
                         .counter = "smsp__inst_executed.sum",
                         .scale = lanes / published.points()}};
    profiled.kernel = "sweep_kernel";
    profiled.solve = {"jacobi", "--variant", variant, "--set", "nx=512", "ny=256", "iterations=12"};
    profiled.solve.push_back(fmt::format("tile_y={}", tiling.tile_y));
    profiled.solve.push_back(fmt::format("block_y={}", tiling.block_y));
    return profiled;
}

/// Claim J2, of loads from global memory, in two ways. By sectors of 32 bytes, which today's caches fetch.
/// By lines of 128 bytes, as the paper's profiler counted: of the lines that a warp's load looks up, those
/// that the L1 cache did not ask of the L2, which it does a line at a time.
void add_hit_rates(harness::ProfiledPoint& profiled) {
    profiled.metrics.push_back({.quantity = "l1_hit_rate",
                                .unit = "%",
                                .counter = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld_lookup_hit.sum",
                                .whole = "l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"});
    profiled.metrics.push_back({.quantity = "l1_line_hit_rate",
                                .unit = "%",
                                .counter = "lts__t_requests_srcunit_tex_op_read.sum",
                                .whole = "l1tex__t_set_accesses_pipe_lsu_mem_global_op_ld.sum",
                                .rest = true});
}

}  // namespace

void add_profiled(harness::Plan& plan) {
    for (const Kernel* kernel : kernels_that(is_published))
        for (const Tiling& tiling : table_1) {
            plan.profiled.push_back(profiled_point(*kernel, tiling));
            if (kernel->carveout == Carveout::prefer_l1) add_hit_rates(plan.profiled.back());
        }
    for (const Kernel* kernel : kernels_that(is_ablation))
        plan.profiled.push_back(profiled_point(*kernel, published_best));
}

}  // namespace gridmark::jacobi
