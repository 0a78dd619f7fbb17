#pragma once

// The one header of every `.cu` file. nvcc compiles the file for the GPU; g++ compiles it again, through a
// generated file that includes it, for the host executor. What a kernel may use:
//
//   GRIDMARK_SHARED(T, name, count)     an array in shared memory
//   GRIDMARK_DYNAMIC_SHARED(T, name)    a T* to the dynamic shared memory of the launch
//   GRIDMARK_CONSTANT(T, name)          at namespace scope: a variable in constant memory; see set_constant()
//   threadIdx, blockIdx, blockDim, gridDim, warpSize, __syncthreads, __syncwarp, __shfl_*sync, __ldg, min,
//   max, __hiloint2double, fetch (texture_fetch.hpp), copies that go on meanwhile (async_copy.hpp),
//   prefetch_to_l2 (prefetch.hpp), and the C++ library's mathematics signal, wait_until, send, poll
//   (messages.hpp), in a kernel that launch_cooperative() runs
//
// Both versions end up in one program, so everything in a `.cu` file lives in
// `namespace gridmark::<study>::GRIDMARK_EXECUTOR`: two definitions of one name would be merged by the linker
// without a word, and one of them is the wrong one. dispatch.hpp declares and selects the pair.

#if defined(GRIDMARK_HOST_EXECUTOR)
#define GRIDMARK_EXECUTOR host
#include "kernels/launch/kernel_host.hpp"
#elif defined(__CUDACC__)
#define GRIDMARK_EXECUTOR cuda
#include "kernels/launch/kernel_cuda.hpp"
#else
#error "kernel.hpp is for .cu files (see gridmark_kernel_library); other files include device.hpp"
#endif
