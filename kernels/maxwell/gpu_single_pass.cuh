#pragma once

// One launch for a whole step.
//
// E's half step reads all of H, H's reads all of the new E; in a kernel each, 108 bytes a node move in float,
// although a step need only read six fields and nine coefficients once and write six fields: 84. One kernel
// can do both if it has E at a node and its three neighbours behind it (x - 1, y - 1, z - 1) before it does H
// there. So a block marches along x. Its threads are a tile of packs along z by rows along y; in a plane each
// computes the new E at its place and shows it to the others in shared memory, and behind a barrier H from
// its own E, its neighbours', and its own of the plane before, which it kept in registers.
//
// Blocks do not wait for each other. What a tile lacks at its low edges, E in one more plane, row and pack
// (its rim), it computes again: these threads write nothing, and what they read the neighbours read as well,
// at about the same time, so that it comes from the L2 cache. Nor can a block overwrite what others still
// read: the fields go from one set of arrays to another, and the next step goes back.
//
// The memory is the limit, so what counts is that loads are on their way at all times. Each thread asks for
// the next plane's values as soon as it has used this plane's: for E, eps and sigma before the barrier, for H
// and mu behind it, into the registers that have just become free. Where coefficients come by index there are
// registers enough to ask for H a whole plane ahead, if a block has 384 threads; and then nothing may touch
// what has been asked for before it is needed, neither a spill nor a move from "next" to "now": so planes
// come in pairs that change places. E, which is asked for later, is by then in the L2 cache: one thread has
// had it fetched there two planes ahead. Divisions take the tables' reciprocals, for a subroutine would have
// all registers of its own and let nothing pass.
//
// What the paper's step does besides comes along: the current is added where E is loaded at z_min, each
// thread with E at a face sets the ghosts there, and one more block advances the incident wave, a step ahead
// so that nobody waits for it. A small grid, for which seven launches would take longer than their work,
// gains most.
#include "kernels/maxwell/gpu_march.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace single_pass {

template <class T, class Materials>
__global__ void __launch_bounds__(Materials::most_threads) step_kernel(Pass<T> pass, Tiling tiling) {
    GRIDMARK_DYNAMIC_SHARED(Pack<T>, shared);
    if (blockIdx.x > 0)
        March<T, Materials>(pass, tiling, blockIdx.x - 1, shared).run();
    else if (pass.planes.first == 0)
        advance_wave(pass);
}

template <class T, class Materials>
Tiling tiling(const Layout& l, Slab slab) {
    return choose_tiling<T>(l, slab, Materials::most_threads, Materials::most_planes);
}

template <class T, class Materials>
std::size_t shared_bytes(const Pass<T>& pass, const Tiling& t) {
    return (March<T, Materials>::fresh_packs(t.threads()) + March<T, Materials>::spacing_packs(t)) *
               sizeof(Pack<T>) +
           Materials::shared_bytes(pass.index);
}

template <class T, class Materials>
void step(launch::Stream stream, const Pass<T>& pass) {
    const Tiling t = tiling<T, Materials>(pass.now.layout, pass.planes);
    const std::size_t shared = shared_bytes<T, Materials>(pass, t);
    launch::allow_dynamic_shared(step_kernel<T, Materials>, shared);
    launch::launch(stream, {{static_cast<unsigned>(1 + t.blocks()), 1, 1}, {t.threads(), 1, 1}, shared},
                   step_kernel<T, Materials>, pass, t);
}

template <class T, class Materials>
std::optional<launch::KernelInfo> info(const Layout& l) {
    const Tiling t = tiling<T, Materials>(l, {0, l.n[0]});
    return launch::kernel_info(step_kernel<T, Materials>, t.threads(),
                               shared_bytes<T, Materials>(Pass<T>{}, t));
}

}  // namespace single_pass
}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
