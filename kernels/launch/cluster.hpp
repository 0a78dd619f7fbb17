#pragma once

#include "kernels/launch/kernel.hpp"
#if defined(GRIDMARK_HOST_EXECUTOR)
#include "kernels/launch/host_cluster.hpp"
#endif

/// Blocks of a cluster, which launch_clusters() starts: so many that follow each other in the grid run at the
/// same time on neighbouring multiprocessors, and reach each other's shared memory (relay.hpp). A GPU from
/// sm_90 on has them.
namespace gridmark::launch {
inline namespace GRIDMARK_EXECUTOR {

#if defined(GRIDMARK_HOST_EXECUTOR)

inline int cluster_rank() {
    return executor::Block::current()->rank();
}
inline void cluster_barrier(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    executor::cluster_barrier({file, line});
}

#else

/// The block's place in its cluster.
__device__ inline int cluster_rank() {
    unsigned rank = 0;
#if __CUDA_ARCH__ >= 900
    asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return static_cast<int>(rank);
}

/// All threads of all blocks wait for each other, and then see what each wrote before. It waits for all
/// loads that are under way, too: not for a place where some should be.
__device__ inline void cluster_barrier() {
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

#endif

}  // namespace GRIDMARK_EXECUTOR
}  // namespace gridmark::launch
