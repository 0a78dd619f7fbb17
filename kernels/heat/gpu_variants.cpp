#include <array>

#include "kernels/heat/gpu.hpp"

namespace gridmark::heat {

#define GRIDMARK_DECLARE(NAME)                                                                      \
    template <class T>                                                                              \
    void prepare_##NAME(launch::Carveout, BetaPath);                                                \
    template <class T>                                                                              \
    void step_##NAME(launch::Stream, const Problem&, BetaPath, const BetaFields<T>&, const T*, T*); \
    template <class T>                                                                              \
    std::optional<launch::KernelInfo> info_##NAME(BetaPath);

#define GRIDMARK_ENTRY(NAME, BLOCK, CARVEOUT, LAYOUT)                                               \
    GpuVariant<T> {                                                                                 \
        "gpu_" #NAME, BLOCK, launch::Carveout::CARVEOUT, LAYOUT, prepare_##NAME<T>, step_##NAME<T>, \
            info_##NAME<T>                                                                          \
    }

#define GRIDMARK_VARIANTS(EXECUTOR)                                                \
    namespace EXECUTOR {                                                           \
    GRIDMARK_DECLARE(naive)                                                        \
    GRIDMARK_DECLARE(four_cubes)                                                   \
    GRIDMARK_DECLARE(tiles_16x16)                                                  \
    GRIDMARK_DECLARE(rectangular)                                                  \
    GRIDMARK_DECLARE(no_shared)                                                    \
    GRIDMARK_DECLARE(generated_borders)                                            \
    template <class T>                                                             \
    constexpr std::array<GpuVariant<T>, 6> variants{                               \
        GRIDMARK_ENTRY(naive, "8x8x8", prefer_l1, tight_layout),                   \
        GRIDMARK_ENTRY(four_cubes, "8x8x8", prefer_shared, four_cubes_layout),     \
        GRIDMARK_ENTRY(tiles_16x16, "16x16x2", prefer_shared, tiles_16x16_layout), \
        GRIDMARK_ENTRY(rectangular, "32x8x3", prefer_shared, rectangular_layout),  \
        GRIDMARK_ENTRY(no_shared, "32x8x1", prefer_l1, tight_layout),              \
        GRIDMARK_ENTRY(generated_borders, "32x8x1", prefer_l1, bare_layout)};      \
    }

GRIDMARK_VARIANTS(host)
#if GRIDMARK_HAS_CUDA
GRIDMARK_VARIANTS(cuda)
#endif

template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor) {
    if (executor == launch::Executor::host) return host::variants<T>;
#if GRIDMARK_HAS_CUDA
    return cuda::variants<T>;
#else
    return {};
#endif
}

template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name) {
    for (const GpuVariant<T>& variant : gpu_variants<T>(executor))
        if (variant.name == name) return &variant;
    return nullptr;
}

Layout four_cubes_layout(const Problem& p) {
    constexpr int filled = 8;  // 6 filler values and the halo
    return blocked_layout(p, 32, 8, 8, filled);
}

Layout tiles_16x16_layout(const Problem& p) {
    return blocked_layout(p, 12, 12, 12);
}

Layout rectangular_layout(const Problem& p) {
    return blocked_layout(p, 28, 8, 8);
}

template std::span<const GpuVariant<float>> gpu_variants(launch::Executor);
template std::span<const GpuVariant<double>> gpu_variants(launch::Executor);
template const GpuVariant<float>* find_gpu_variant(launch::Executor, std::string_view);
template const GpuVariant<double>* find_gpu_variant(launch::Executor, std::string_view);

}  // namespace gridmark::heat
