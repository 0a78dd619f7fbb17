#include "kernels/launch/dispatch.hpp"
#include "kernels/pyramid/gpu_box.hpp"

namespace gridmark::pyramid {

// clang-format off
GRIDMARK_BOTH_EXECUTORS(
    template <class T> const BoxKernels<T>* box_kernels();
    template <class T> const BatchKernels<T>* batch_kernels();)
// clang-format on

template <class T>
const BoxKernels<T>* box_kernels(launch::Executor executor) {
    if (executor == launch::Executor::host) return host::box_kernels<T>();
#if GRIDMARK_HAS_CUDA
    return cuda::box_kernels<T>();
#else
    return nullptr;
#endif
}

template <class T>
const BatchKernels<T>* batch_kernels(launch::Executor executor) {
    if (executor == launch::Executor::host) return host::batch_kernels<T>();
#if GRIDMARK_HAS_CUDA
    return cuda::batch_kernels<T>();
#else
    return nullptr;
#endif
}

template const BoxKernels<float>* box_kernels(launch::Executor);
template const BoxKernels<double>* box_kernels(launch::Executor);
template const BatchKernels<float>* batch_kernels(launch::Executor);
template const BatchKernels<double>* batch_kernels(launch::Executor);

}  // namespace gridmark::pyramid
