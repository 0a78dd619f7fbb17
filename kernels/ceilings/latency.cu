#include "kernels/ceilings/gpu.hpp"

#include "kernels/launch/kernel.hpp"

#ifndef GRIDMARK_HOST_EXECUTOR
#include <cooperative_groups.h>
#endif

namespace gridmark::ceilings::GRIDMARK_EXECUTOR {
namespace {

__global__ void nothing_kernel() {}

#ifndef GRIDMARK_HOST_EXECUTOR
__global__ void sync_kernel(int syncs, int* out) {
    const auto grid = cooperative_groups::this_grid();
    int done = 0;
    for (int i = 0; i < syncs; ++i) {
        grid.sync();
        ++done;
    }
    if (grid.thread_rank() == 0) *out = done;
}
#endif

}  // namespace

void launch_nothing(launch::Stream stream) {
    launch::launch(stream, {{1}, {32}}, nothing_kernel);
}

#ifdef GRIDMARK_HOST_EXECUTOR

void sync_grid(launch::Stream /*stream*/, unsigned /*blocks*/, int /*syncs*/, int* /*out*/) {
    throw launch::Unavailable("the host executor has no grid-wide barrier");
}

#else

// The one launch that does not go through launch::launch, which knows no cooperative launches.
void sync_grid(launch::Stream stream, unsigned blocks, int syncs, int* out) {
    launch::check_gpu_launch(stream, {{blocks}, {256}});
    void* arguments[] = {&syncs, &out};
    launch::check_cuda(
        cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sync_kernel), dim3(blocks), dim3(256),
                                    arguments, 0, static_cast<cudaStream_t>(stream.handle)),
        "launching a cooperative kernel");
}

#endif

}  // namespace gridmark::ceilings::GRIDMARK_EXECUTOR
