#include "kernels/pyramid/gpu.hpp"

namespace gridmark::pyramid {

#define GRIDMARK_PYRAMID(DO) \
    DO(gpu_cyclic_reduction) \
    DO(gpu_cusparse)         \
    DO(gpu_local_inverse)    \
    DO(gpu_marching)         \
    DO(gpu_marching_8)

/// The host executor has the CPU's own step besides (cpu.cpp).
#define GRIDMARK_PYRAMID_ON_HOST(DO) DO(cpu_in_device_place) GRIDMARK_PYRAMID(DO)

GRIDMARK_VARIANT_TABLE(host, GRIDMARK_PYRAMID_ON_HOST)
#if GRIDMARK_HAS_CUDA
GRIDMARK_VARIANT_TABLE(cuda, GRIDMARK_PYRAMID)
#endif
GRIDMARK_DEFINE_GPU_VARIANTS

}  // namespace gridmark::pyramid
