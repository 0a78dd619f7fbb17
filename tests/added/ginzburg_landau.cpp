#include "kernels/ginzburg_landau/gpu.hpp"
#include "tests/added/added.hpp"

#define gpu_variants listed_variants
#define find_gpu_variant find_listed_variant
#include "kernels/ginzburg_landau/gpu_variants.cpp"  // the build's
#undef gpu_variants
#undef find_gpu_variant

namespace gridmark::ginzburg_landau {
namespace {
template <class T>
GpuVariant<T> added(std::span<const GpuVariant<T>> listed) {
    return {.name = "gpu_wide", .takes_block = true, .step = added_tests::entry(listed, "gpu_overlap8").step};
}
}  // namespace

GRIDMARK_ADD_GPU_VARIANT(added)

}  // namespace gridmark::ginzburg_landau
