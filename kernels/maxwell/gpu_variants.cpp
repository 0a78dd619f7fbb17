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

#define GRIDMARK_VARIANTS(EXECUTOR)                                                                   \
    namespace EXECUTOR {                                                                              \
    GRIDMARK_DECLARE(six)                                                                             \
    GRIDMARK_DECLARE(fused)                                                                           \
    template <class T>                                                                                \
    constexpr std::array<GpuVariant<T>, 2> variants{                                                  \
        GpuVariant<T>{"gpu_in_core", 6, values_six, advance_e_six<T>, advance_h_six<T>, info_six<T>}, \
        GpuVariant<T>{"gpu_in_core_fused", 2, values_fused, advance_e_fused<T>, advance_h_fused<T>,   \
                      info_fused<T>}};                                                                \
    }

GRIDMARK_VARIANTS(host)
#if GRIDMARK_HAS_CUDA
GRIDMARK_VARIANTS(cuda)
#endif

GRIDMARK_DEFINE_GPU_VARIANTS

}  // namespace gridmark::maxwell
