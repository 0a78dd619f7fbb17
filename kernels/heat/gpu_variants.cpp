#include "kernels/heat/gpu.hpp"

namespace gridmark::heat {

#define GRIDMARK_HEAT(DO)     \
    DO(gpu_naive)             \
    DO(gpu_four_cubes)        \
    DO(gpu_tiles_16x16)       \
    DO(gpu_rectangular)       \
    DO(gpu_no_shared)         \
    DO(gpu_generated_borders) \
    DO(gpu_queue)             \
    DO(gpu_blocked_2)         \
    DO(gpu_blocked_3)

GRIDMARK_LIST_GPU_VARIANTS(GRIDMARK_HEAT)
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
