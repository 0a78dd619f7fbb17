// A whole step in one launch, coefficients by index: 49 bytes a node in float.
#include "kernels/maxwell/gpu_single_pass.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

template <class T>
GpuVariant<T> gpu_single_pass_indexed() {
    return {.name = "gpu_single_pass_indexed",
            .values_per_cell = values_indexed<T>,
            .by_index = true,
            .step = single_pass::step<T, FromIndex<T>>,
            .info = single_pass::info<T, FromIndex<T>>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_single_pass_indexed);

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
