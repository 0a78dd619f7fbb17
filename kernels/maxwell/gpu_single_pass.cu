// A whole step in one launch, coefficients from the nine arrays: 84 bytes a node in float.
#include "kernels/maxwell/gpu_single_pass.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

template <class T>
GpuVariant<T> gpu_single_pass() {
    return {.name = "gpu_single_pass",
            .values_per_cell = values_whole,
            .step = single_pass::step<T, FromArrays<T>>,
            .info = single_pass::info<T, FromArrays<T>>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_single_pass);

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
