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

}  // namespace gridmark::heat
