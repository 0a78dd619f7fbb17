#pragma once

// kernel.hpp for nvcc.

#include <optional>
#include <type_traits>
#include <utility>

#include "kernels/launch/gpu_check.hpp"
#include "kernels/launch/kernel_info.hpp"

#define GRIDMARK_SHARED(T, name, count) __shared__ T name[count]

// One symbol of one type: `extern __shared__ T s[]` with two types T in one file does not compile.
#define GRIDMARK_DYNAMIC_SHARED(T, name)                                           \
    extern __shared__ __align__(16) unsigned char gridmark_dynamic_shared_bytes[]; \
    T* const name = reinterpret_cast<T*>(gridmark_dynamic_shared_bytes)

#define GRIDMARK_CONSTANT(T, name) static __constant__ T name

namespace gridmark::launch {
// These templates have twins in kernel_host.hpp with the same types; without a namespace of their own the
// linker would keep one of each pair.
inline namespace cuda {

/// CUDA's two ways to launch a kernel.
using Start = cudaError_t (*)(const void*, dim3, dim3, void**, std::size_t, cudaStream_t);

template <class... Params, class... Args>
cudaError_t start_kernel(Start start, Stream stream, const Shape& shape, void (*kernel)(Params...),
                         Args&&... args) {
    static_assert(sizeof...(Params) == sizeof...(Args), "as many arguments as the kernel has parameters");
    static_assert((std::is_trivially_copyable_v<Params> && ...), "kernel parameters are plain data");
    check_gpu_launch(stream, shape);
    const auto with = [&](Params... values) {
        void* pointers[sizeof...(Params) + 1] = {static_cast<void*>(&values)..., nullptr};
        const dim3 grid(shape.grid.x, shape.grid.y, shape.grid.z);
        const dim3 block(shape.block.x, shape.block.y, shape.block.z);
        return start(reinterpret_cast<const void*>(kernel), grid, block, pointers, shape.shared_bytes,
                     static_cast<cudaStream_t>(stream.handle));
    };
    return with(std::forward<Args>(args)...);
}

/// Runs `kernel` on `shape`, after all that the stream holds. Arguments convert to the kernel's parameters.
template <class... Params, class... Args>
void launch(Stream stream, const Shape& shape, void (*kernel)(Params...), Args&&... args) {
    check_cuda(start_kernel(cudaLaunchKernel, stream, shape, kernel, std::forward<Args>(args)...),
               "launching a kernel");
}

/// Multiprocessors of the calling thread's GPU.
inline int multiprocessors() {
    int device = 0, count = 0;
    check_cuda(cudaGetDevice(&device), "asking for the GPU");
    check_cuda(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device),
               "counting multiprocessors");
    return count;
}

/// Blocks of `kernel` that this GPU holds at once.
template <class... Params>
int resident_blocks(void (*kernel)(Params...), unsigned block_threads, std::size_t dynamic_shared = 0) {
    int blocks = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(kernel),
                                                             static_cast<int>(block_threads), dynamic_shared),
               "reading a kernel's occupancy");
    return blocks * multiprocessors();
}

/// Like launch(), with all blocks on the GPU at once, so that they may wait for each other (messages.hpp).
/// Throws Error for more blocks than resident_blocks().
template <class... Params, class... Args>
void launch_cooperative(Stream stream, const Shape& shape, void (*kernel)(Params...), Args&&... args) {
    const cudaError_t error =
        start_kernel(cudaLaunchCooperativeKernel, stream, shape, kernel, std::forward<Args>(args)...);
    if (error == cudaErrorCooperativeLaunchTooLarge) {
        (void)cudaGetLastError();
        check_resident(
            shape, resident_blocks(kernel, static_cast<unsigned>(volume(shape.block)), shape.shared_bytes));
    }
    check_cuda(error, "launching a kernel whose blocks run at once");
}

/// Sets a GRIDMARK_CONSTANT, in the order of the stream. Not while the stream is captured: the graph would
/// keep the address of `value`.
template <class T>
void set_constant(Stream stream, T& name, const std::type_identity_t<T>& value) {
    const auto handle = static_cast<cudaStream_t>(stream.handle);
    check_not_captured(stream, "setting a constant");
    // CUDA copies pageable memory aside before it returns, so `value` may go away.
    check_cuda(cudaMemcpyToSymbolAsync(name, &value, sizeof(T), 0, cudaMemcpyHostToDevice, handle),
               "setting a constant");
}

/// Asks for a split of the L1 cache and shared memory. A wish, not an order.
template <class... Params>
void set_carveout(void (*kernel)(Params...), Carveout carveout) {
    const int share =
        carveout == Carveout::prefer_l1 ? cudaSharedmemCarveoutMaxL1 : cudaSharedmemCarveoutMaxShared;
    check_cuda(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                    cudaFuncAttributePreferredSharedMemoryCarveout, share),
               "choosing between L1 cache and shared memory");
}

/// Lets a kernel use up to `bytes` of dynamic shared memory; needed above 48 KiB.
template <class... Params>
void allow_dynamic_shared(void (*kernel)(Params...), std::size_t bytes) {
    check_cuda(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)),
               "asking for more dynamic shared memory");
}

/// Registers, static shared memory and occupancy of a kernel; nullopt on the host executor.
template <class... Params>
std::optional<KernelInfo> kernel_info(void (*kernel)(Params...), unsigned block_threads,
                                      std::size_t dynamic_shared = 0) {
    const void* const function = reinterpret_cast<const void*>(kernel);
    cudaFuncAttributes attributes{};
    check_cuda(cudaFuncGetAttributes(&attributes, function), "reading a kernel's attributes");
    const int threads = static_cast<int>(block_threads);
    int blocks = 0, device = 0, most_threads = 0;
    check_cuda(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, threads, dynamic_shared),
               "reading a kernel's occupancy");
    check_cuda(cudaGetDevice(&device), "asking for the device");
    check_cuda(cudaDeviceGetAttribute(&most_threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
               "asking for a multiprocessor's threads");
    return KernelInfo{attributes.numRegs, attributes.sharedSizeBytes, blocks, threads,
                      static_cast<double>(blocks) * threads / most_threads};
}

}  // namespace cuda
}  // namespace gridmark::launch
