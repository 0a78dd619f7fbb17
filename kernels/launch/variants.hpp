#pragma once

#include <concepts>
#include <span>
#include <string_view>

#include "kernels/launch/device.hpp"

namespace gridmark::launch {

/// Whether a variant is what a paper printed, or what we made of the problem since.
enum class Origin { published, optimised };

/// "published", "optimised".
constexpr const char* to_string(Origin origin) {
    return origin == Origin::published ? "published" : "optimised";
}

/// How many time steps a launch of a variant makes: `most`, or fewer where fewer are left.
struct StepsPerLaunch {
    int most = 1;
    bool any_fewer = false;  ///< false: a launch makes `most` steps or a single one

    /// Of `left` steps, how many the next launch makes.
    constexpr int next(int left) const {
        if (left >= most) return most;
        return any_fewer ? left : 1;
    }
};

/// A function that every entry names: one without it does not compile. What a study can do without has a
/// default, or is null and asked for before it is called.
template <class Function>
class Required {
  public:
    template <class Given>
    requires std::convertible_to<Given, Function*>
    constexpr Required(Given given) : function_(given) {}
    constexpr operator Function*() const { return function_; }

  private:
    Function* function_;
};

}  // namespace gridmark::launch

/// Defines, in a study's namespace, the two functions that its gpu.hpp declares for its GpuVariant<T>:
///
///     template <class T> std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);
///     template <class T> const GpuVariant<T>* find_gpu_variant(launch::Executor, std::string_view name);
///
/// from host::variants<T>() and, with the CUDA toolkit, cuda::variants<T>().
#if GRIDMARK_HAS_CUDA
#define GRIDMARK_CUDA_VARIANTS cuda::variants<T>()
#else
#define GRIDMARK_CUDA_VARIANTS \
    std::span<const GpuVariant<T>> {}
#endif

#define GRIDMARK_DEFINE_GPU_VARIANTS                                                          \
    template <class T>                                                                        \
    std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor) {                  \
        if (executor == launch::Executor::host) return host::variants<T>();                   \
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

/// Defines variants<T>() in the namespaces of both executors from a list of names,
/// `#define LIST(DO) DO(gpu_naive) DO(gpu_shared)`: the table holds what the kernel files' functions
/// `template <class T> GpuVariant<T> gpu_naive()` return, in this order.
#if GRIDMARK_HAS_CUDA
#define GRIDMARK_LIST_GPU_VARIANTS(LIST) \
    GRIDMARK_VARIANT_TABLE(host, LIST)   \
    GRIDMARK_VARIANT_TABLE(cuda, LIST)
#else
#define GRIDMARK_LIST_GPU_VARIANTS(LIST) GRIDMARK_VARIANT_TABLE(host, LIST)
#endif

#define GRIDMARK_VARIANT_TABLE(EXECUTOR, LIST)                            \
    namespace EXECUTOR {                                                  \
    LIST(GRIDMARK_DECLARE_VARIANT)                                        \
    template <class T>                                                    \
    std::span<const GpuVariant<T>> variants() {                           \
        static const GpuVariant<T> table[]{LIST(GRIDMARK_VARIANT_ENTRY)}; \
        return table;                                                     \
    }                                                                     \
    }
#define GRIDMARK_DECLARE_VARIANT(NAME) \
    template <class T>                 \
    GpuVariant<T> NAME();
#define GRIDMARK_VARIANT_ENTRY(NAME) NAME<T>(),

/// Ends a kernel file: its variant for both types.
#define GRIDMARK_INSTANTIATE_VARIANT(NAME) \
    template GpuVariant<float> NAME();     \
    template GpuVariant<double> NAME()
