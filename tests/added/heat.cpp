#include "kernels/heat/gpu.hpp"
#include "tests/added/added.hpp"

#define gpu_variants listed_variants
#define find_gpu_variant find_listed_variant
#include "kernels/heat/gpu_variants.cpp"  // the build's
#undef gpu_variants
#undef find_gpu_variant

namespace gridmark::heat {
namespace {
template <class T>
GpuVariant<T> added(std::span<const GpuVariant<T>> listed) {
    const GpuVariant<T>& queue = added_tests::entry(listed, "gpu_queue");
    return {.name = "gpu_wide", .texture = false, .layout = queue.layout, .step = queue.step};
}
}  // namespace

GRIDMARK_ADD_GPU_VARIANT(added)

}  // namespace gridmark::heat
