#pragma once

#include <span>
#include <string_view>

#include "kernels/launch/device.hpp"

/// Defines, in a study's namespace, the two functions that its gpu.hpp declares for its GpuVariant<T>:
///
///     template <class T> std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);
///     template <class T> const GpuVariant<T>* find_gpu_variant(launch::Executor, std::string_view name);
///
/// from the tables host::variants<T> and, with the CUDA toolkit, cuda::variants<T>.
#if GRIDMARK_HAS_CUDA
#define GRIDMARK_CUDA_VARIANTS cuda::variants<T>
#else
#define GRIDMARK_CUDA_VARIANTS \
    std::span<const GpuVariant<T>> {}
#endif

#define GRIDMARK_DEFINE_GPU_VARIANTS                                                          \
    template <class T>                                                                        \
    std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor) {                  \
        if (executor == launch::Executor::host) return host::variants<T>;                     \
        return GRIDMARK_CUDA_VARIANTS;                                                        \
    }                                                                                         \
    template <class T>                                                                        \
    const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name) { \
        for (const GpuVariant<T>& variant : gpu_variants<T>(executor))                        \
            if (variant.name == name) return &variant;                                        \
        return nullptr;                                                                       \
    }                                                                                         \
    template std::span<const GpuVariant<float>> gpu_variants(launch::Executor);               \
    template std::span<const GpuVariant<double>> gpu_variants(launch::Executor);              \
    template const GpuVariant<float>* find_gpu_variant(launch::Executor, std::string_view);   \
    template const GpuVariant<double>* find_gpu_variant(launch::Executor, std::string_view);
