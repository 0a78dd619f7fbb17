#include "kernels/maxwell/gpu.hpp"

namespace gridmark::maxwell {

#define GRIDMARK_MAXWELL(DO)   \
    DO(gpu_in_core)            \
    DO(gpu_in_core_concurrent) \
    DO(gpu_in_core_host_faces) \
    DO(gpu_in_core_lookup)     \
    DO(gpu_in_core_fused)      \
    DO(gpu_single_pass)        \
    DO(gpu_single_pass_indexed)

GRIDMARK_LIST_GPU_VARIANTS(GRIDMARK_MAXWELL)
GRIDMARK_DEFINE_GPU_VARIANTS

}  // namespace gridmark::maxwell
