// A whole step in one launch, coefficients by index: 49 bytes a node in float.
#include "kernels/maxwell/gpu_single_pass.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

GRIDMARK_SINGLE_PASS(single_pass_indexed, FromIndex)

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
