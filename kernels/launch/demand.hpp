#pragma once

#include <array>
#include <cmath>
#include <string_view>
#include <vector>

/// What a kernel asks of a machine beside bytes and flops. A variant declares its blocks and how its work
/// grows, next to its kernel, and its chain, in its study's chains.hpp. What the work costs is counted (`make
/// demands`). A model (harness/model) turns both into the time that a machine will take.
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
    bool issues = false;       ///< a scheduler issues its share of all instructions meanwhile: none can wait
    double issued = 0;         ///< that share; follows from what is counted
};

/// One launch.
struct Demand {
    double blocks = 1;
    double block_threads = 32;
    double shared_bytes = 0;  ///< of a block, static and dynamic: how many blocks fit
    double memory_bytes = 0;  ///< read and written once, were the caches endless; 0: the point's
    bool by_tiles = false;    ///< takes 128 bytes or less of a row, then goes to another row
    /// The work of all blocks, by which what is counted grows: rows, warps, points. None: nothing is counted.
    std::array<double, 3> units = {};
    /// A regular expression for the names of the kernels that this is; empty where the point has no other.
    std::string_view kernel = {};
    /// Of the instructions of a warp, the share that stands in its code: loops have theirs once.
    double code_share = 0;
    /// Warps load ahead, or once for many steps, and so compute while others load. Else a block loads and
    /// then computes, and only other blocks use what it leaves idle.
    bool loads_ahead = false;
    Chain chain = {};
    double times = 1;  ///< launches alike, one after the other

    // What is counted, by the units.
    double l2_bytes = 0;  ///< that cross between the L2 and the multiprocessors
    /// 128 for each cycle that L1, shared memory and textures take to serve the warps' accesses.
    double l1_bytes = 0;
    double instructions = 0;  ///< of warps
    double code_bytes = 0;    ///< that a warp runs through, loops counted once
    /// Two for each instruction of the working precision, whether it multiplies and adds or does one of both:
    /// a pipe takes as long for either. Repeated ones included; 0: the point's.
    double flops = 0;
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

/// How many pieces of `size` cover n, whole numbers both.
inline double pieces(double n, double size) {
    return std::ceil(n / size);
}

/// Demand::kernel of the instance whose last template argument, a bool, is this, as the profiler prints it.
constexpr std::string_view instance(bool last) {
    return last ? ", 1>" : ", 0>";
}

/// The chip that a demand is for, where a variant shares out its work by it.
struct Chip {
    int multiprocessors = 1;
    int resident_blocks = 1;  ///< of this kernel on a multiprocessor
};

}  // namespace gridmark::launch
