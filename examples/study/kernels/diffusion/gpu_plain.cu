// A thread a point, everything read through the caches.
#include "kernels/diffusion/gpu.hpp"
#include "kernels/diffusion/update.hpp"

#include "kernels/launch/kernel.hpp"

namespace gridmark::diffusion::GRIDMARK_EXECUTOR {

template <class T>
__global__ void step_kernel(const T* __restrict__ now, T* __restrict__ next, T r, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const bool is_end = i == 0 || i == n - 1;
    next[i] = is_end ? now[i] : updated(r, now[i - 1], now[i], now[i + 1]);
}

template <class T>
void gpu_plain(launch::Stream stream, const Problem& p, const T* now, T* next) {
    constexpr unsigned block = gpu_plain_block;
    const launch::Shape shape{{(static_cast<unsigned>(p.n) + block - 1) / block, 1, 1}, {block, 1, 1}};
    launch::launch(stream, shape, step_kernel<T>, now, next, static_cast<T>(p.r), p.n);
}

template <class T>
std::optional<launch::KernelInfo> gpu_plain_info() {
    return launch::kernel_info(step_kernel<T>, gpu_plain_block);
}

template void gpu_plain(launch::Stream, const Problem&, const float*, float*);
template void gpu_plain(launch::Stream, const Problem&, const double*, double*);
template std::optional<launch::KernelInfo> gpu_plain_info<float>();
template std::optional<launch::KernelInfo> gpu_plain_info<double>();

}  // namespace gridmark::diffusion::GRIDMARK_EXECUTOR
