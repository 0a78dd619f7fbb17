#include "kernels/maxwell/gpu.hpp"
#include "tests/added/added.hpp"

#define gpu_variants listed_variants
#define find_gpu_variant find_listed_variant
#include "kernels/maxwell/gpu_variants.cpp"  // the build's
#undef gpu_variants
#undef find_gpu_variant

namespace gridmark::maxwell {
namespace {
template <class T>
GpuVariant<T> added(std::span<const GpuVariant<T>> listed) {
    const GpuVariant<T>& single_pass = added_tests::entry(listed, "gpu_single_pass");
    return {.name = "gpu_wide", .values_per_cell = single_pass.values_per_cell, .step = single_pass.step};
}
}  // namespace

GRIDMARK_ADD_GPU_VARIANT(added)

}  // namespace gridmark::maxwell
