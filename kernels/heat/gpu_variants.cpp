#include <array>

#include "kernels/heat/gpu.hpp"
#include "kernels/launch/variants.hpp"

namespace gridmark::heat {

#define GRIDMARK_DECLARE(NAME)                                                                      \
    template <class T>                                                                              \
    void prepare_##NAME(launch::Carveout, BetaPath);                                                \
    template <class T>                                                                              \
    void step_##NAME(launch::Stream, const Problem&, BetaPath, const BetaFields<T>&, const T*, T*); \
    template <class T>                                                                              \
    std::optional<launch::KernelInfo> info_##NAME(BetaPath);

/// A version that uses dynamic shared memory.
#define GRIDMARK_DECLARE_SHARED(NAME) \
    GRIDMARK_DECLARE(NAME)            \
    template <class T>                \
    std::size_t shared_##NAME();

#define GRIDMARK_ENTRY(NAME, BLOCK, CARVEOUT, LAYOUT)                                               \
    GpuVariant<T> {                                                                                 \
        "gpu_" #NAME, BLOCK, launch::Carveout::CARVEOUT, LAYOUT, prepare_##NAME<T>, step_##NAME<T>, \
            info_##NAME<T>                                                                          \
    }

/// A version of ours that makes STEPS steps at once, and what is left with gpu_queue: rows begin on lines,
/// and beta is read from the array alone.
#define GRIDMARK_OURS(NAME, BLOCK, CARVEOUT, STEPS, SHARED)                                                \
    GpuVariant<T> {                                                                                        \
        "gpu_" #NAME, BLOCK, launch::Carveout::CARVEOUT,                                                   \
            [](const Problem& p) { return line_layout(p, sizeof(T)); }, prepare_##NAME<T>, step_##NAME<T>, \
            info_##NAME<T>, false, STEPS, step_queue<T>, SHARED                                            \
    }

#define GRIDMARK_VARIANTS(EXECUTOR)                                                  \
    namespace EXECUTOR {                                                             \
    GRIDMARK_DECLARE(naive)                                                          \
    GRIDMARK_DECLARE(four_cubes)                                                     \
    GRIDMARK_DECLARE(tiles_16x16)                                                    \
    GRIDMARK_DECLARE(rectangular)                                                    \
    GRIDMARK_DECLARE(no_shared)                                                      \
    GRIDMARK_DECLARE(generated_borders)                                              \
    GRIDMARK_DECLARE(queue)                                                          \
    GRIDMARK_DECLARE_SHARED(blocked_2)                                               \
    GRIDMARK_DECLARE_SHARED(blocked_3)                                               \
    template <class T>                                                               \
    constexpr std::array<GpuVariant<T>, 9> table{                                    \
        GRIDMARK_ENTRY(naive, "8x8x8", prefer_l1, tight_layout),                     \
        GRIDMARK_ENTRY(four_cubes, "8x8x8", prefer_shared, four_cubes_layout),       \
        GRIDMARK_ENTRY(tiles_16x16, "16x16x2", prefer_shared, tiles_16x16_layout),   \
        GRIDMARK_ENTRY(rectangular, "32x8x3", prefer_shared, rectangular_layout),    \
        GRIDMARK_ENTRY(no_shared, "32x8x1", prefer_l1, tight_layout),                \
        GRIDMARK_ENTRY(generated_borders, "32x8x1", prefer_l1, bare_layout),         \
        GRIDMARK_OURS(queue, "32x8x1", prefer_l1, 1, nullptr),                       \
        GRIDMARK_OURS(blocked_2, "324x1x1", prefer_shared, 2, shared_blocked_2<T>),  \
        GRIDMARK_OURS(blocked_3, "360x1x1", prefer_shared, 3, shared_blocked_3<T>)}; \
    template <class T>                                                               \
    std::span<const GpuVariant<T>> variants() {                                      \
        return table<T>;                                                             \
    }                                                                                \
    }

GRIDMARK_VARIANTS(host)
#if GRIDMARK_HAS_CUDA
GRIDMARK_VARIANTS(cuda)
#endif

GRIDMARK_DEFINE_GPU_VARIANTS

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

}  // namespace gridmark::heat
