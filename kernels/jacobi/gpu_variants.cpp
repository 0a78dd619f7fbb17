#include "kernels/jacobi/gpu.hpp"

namespace gridmark::jacobi {

#define GRIDMARK_JACOBI(DO)       \
    DO(gpu_shared)                \
    DO(gpu_no_shared)             \
    DO(gpu_shared_no_division)    \
    DO(gpu_no_shared_no_division) \
    DO(gpu_rows)                  \
    DO(gpu_persistent)            \
    DO(gpu_blocked_8)             \
    DO(gpu_blocked_12)

GRIDMARK_LIST_GPU_VARIANTS(GRIDMARK_JACOBI)
GRIDMARK_DEFINE_GPU_VARIANTS

}  // namespace gridmark::jacobi
