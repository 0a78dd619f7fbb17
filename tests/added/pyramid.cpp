#include "kernels/pyramid/gpu.hpp"
#include "tests/added/added.hpp"

#define gpu_variants listed_variants
#define find_gpu_variant find_listed_variant
#include "kernels/pyramid/gpu_variants.cpp"  // the build's
#undef gpu_variants
#undef find_gpu_variant

namespace gridmark::pyramid {
namespace {
template <class T>
GpuVariant<T> added(std::span<const GpuVariant<T>> listed) {
    return {.name = "gpu_wide", .solve = added_tests::entry(listed, "gpu_local_inverse").solve};
}
}  // namespace

GRIDMARK_ADD_GPU_VARIANT(added)

}  // namespace gridmark::pyramid
