#include <array>

#include "kernels/launch/variants.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/scheme.hpp"

namespace gridmark::maxwell {

#define GRIDMARK_DECLARE(NAME)                                               \
    template <class T>                                                       \
    void advance_e_##NAME(launch::Stream, const Arrays<T>&, int x0, int x1); \
    template <class T>                                                       \
    void advance_h_##NAME(launch::Stream, const Arrays<T>&, int x0, int x1); \
    template <class T>                                                       \
    std::optional<launch::KernelInfo> info_##NAME(const Layout&);

#define GRIDMARK_DECLARE_WHOLE(NAME)                  \
    template <class T>                                \
    void step_##NAME(launch::Stream, const Pass<T>&); \
    template <class T>                                \
    std::optional<launch::KernelInfo> info_##NAME(const Layout&);

#define GRIDMARK_WHOLE(NAME, VALUES, BY_INDEX)                                              \
    GpuVariant<T> {                                                                         \
        "gpu_" #NAME, 1, VALUES, nullptr, nullptr, info_##NAME<T>, step_##NAME<T>, BY_INDEX \
    }

#define GRIDMARK_VARIANTS(EXECUTOR)                                                                   \
    namespace EXECUTOR {                                                                              \
    GRIDMARK_DECLARE(six)                                                                             \
    GRIDMARK_DECLARE(fused)                                                                           \
    GRIDMARK_DECLARE_WHOLE(single_pass)                                                               \
    GRIDMARK_DECLARE_WHOLE(single_pass_indexed)                                                       \
    template <class T>                                                                                \
    constexpr std::array<GpuVariant<T>, 4> table{                                                     \
        GpuVariant<T>{"gpu_in_core", 6, values_six, advance_e_six<T>, advance_h_six<T>, info_six<T>}, \
        GpuVariant<T>{"gpu_in_core_fused", 2, values_fused, advance_e_fused<T>, advance_h_fused<T>,   \
                      info_fused<T>},                                                                 \
        GRIDMARK_WHOLE(single_pass, values_whole, false),                                             \
        GRIDMARK_WHOLE(single_pass_indexed, values_indexed<T>, true)};                                \
    template <class T>                                                                                \
    std::span<const GpuVariant<T>> variants() {                                                       \
        return table<T>;                                                                              \
    }                                                                                                 \
    }

GRIDMARK_VARIANTS(host)
#if GRIDMARK_HAS_CUDA
GRIDMARK_VARIANTS(cuda)
#endif

GRIDMARK_DEFINE_GPU_VARIANTS

}  // namespace gridmark::maxwell
