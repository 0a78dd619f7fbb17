#pragma once

#include <cmath>
#include <vector>

/// What a kernel asks of a machine beside bytes and flops. Each variant declares it next to its kernel; a
/// model (harness/model) turns it into the time that a machine will take.
namespace gridmark::launch {

/// Operations of one block that each need the one before, from its start to its end: the longest such row.
struct Chain {
    double loads = 0;       ///< from global memory, past the L1: the L2 or the memory answers
    double constants = 0;   ///< loads of constant memory that no other has loaded
    double shared = 0;      ///< of shared memory: a store and the load of what it wrote are two
    double arithmetic = 0;  ///< additions, multiplications and multiply-adds of the working precision
    double logic = 0;       ///< other instructions: addresses, comparisons
    double divisions = 0;   ///< of integers
    double barriers = 0;    ///< of the block
    double shuffles = 0;
    double messages = 0;       ///< from another block
    double grid_barriers = 0;  ///< of all blocks
    double issued = 0;         ///< instructions that one scheduler issues meanwhile, where none can wait
};

/// One launch.
struct Demand {
    double blocks = 1;
    double block_threads = 32;
    double shared_bytes = 0;  ///< of a block, static and dynamic: how many blocks fit
    double memory_bytes = 0;  ///< read and written once, were the caches endless; 0: the point's
    bool by_tiles = false;    ///< takes 128 bytes or less of a row, then goes to another row
    double l2_bytes = 0;      ///< that cross between the L2 and the multiprocessors
    /// 128 for each cycle that L1, shared memory and textures take to serve the warps' accesses.
    double l1_bytes = 0;
    double instructions = 0;  ///< of warps
    double code_bytes = 0;    ///< that a warp runs through, loops counted once
    /// Two for each instruction of the working precision, whether it multiplies and adds or does one of both:
    /// a pipe takes as long for either. Repeated ones included; 0: the point's.
    double flops = 0;
    /// Warps load ahead, or once for many steps, and so compute while others load. Else a block loads and
    /// then computes, and only other blocks use what it leaves idle.
    bool loads_ahead = false;
    /// A copy of so many bytes of memory takes as long, read and written ones counted: all that is known of a
    /// kernel beside its barriers of the grid. 0: what stands above is known.
    double copied_bytes = 0;
    Chain chain = {};
    double times = 1;  ///< launches alike, one after the other
};

/// What `times` runs of these kernels ask for. One that declares no bytes or no operations has those of a
/// run.
inline std::vector<Demand> repeated(std::vector<Demand> kernels, double times, double bytes, double flops) {
    for (Demand& kernel : kernels) {
        if (kernel.memory_bytes == 0) kernel.memory_bytes = bytes;
        if (kernel.flops == 0) kernel.flops = flops;
        kernel.times *= times;
    }
    return kernels;
}

/// What a point costs a kernel in one precision, as the profiler counts it on a large grid: instructions of
/// threads, and bytes as Demand has them.
struct PointCost {
    double instructions, l1_bytes, l2_bytes;
};

/// The demand of a launch that works on so many points.
inline Demand demand_of(double points, const PointCost& cost, double blocks, double block_threads) {
    return {.blocks = blocks,
            .block_threads = block_threads,
            .l2_bytes = points * cost.l2_bytes,
            .l1_bytes = points * cost.l1_bytes,
            .instructions = points * cost.instructions / 32};
}

/// Bytes of so many instructions: 16 each since Volta.
constexpr double code_of(double instructions) {
    return 16 * instructions;
}

/// How many pieces of `size` cover n, whole numbers both.
inline double pieces(double n, double size) {
    return std::ceil(n / size);
}

/// The chip that a demand is for, where a variant shares out its work by it.
struct Chip {
    int multiprocessors = 1;
    int resident_blocks = 1;  ///< of this kernel on a multiprocessor
    bool is_measured =
        true;  ///< its latencies and rates are known: more than bytes says how long a kernel takes
};

}  // namespace gridmark::launch
