#include "kernels/ginzburg_landau/gpu.hpp"

namespace gridmark::ginzburg_landau {

#define GRIDMARK_GINZBURG_LANDAU(DO) \
    DO(gpu_overlap8_listing)         \
    DO(gpu_relaunch)                 \
    DO(gpu_overlap8)                 \
    DO(gpu_grid_barrier)             \
    DO(gpu_registers)                \
    DO(gpu_persistent)

GRIDMARK_LIST_GPU_VARIANTS(GRIDMARK_GINZBURG_LANDAU)
GRIDMARK_DEFINE_GPU_VARIANTS

}  // namespace gridmark::ginzburg_landau
