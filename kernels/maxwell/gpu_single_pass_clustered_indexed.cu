// A whole step in one launch, coefficients by index, in tiles of two blocks each: fewer rims.
#include "kernels/maxwell/gpu_single_pass.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

GRIDMARK_SINGLE_PASS(single_pass_clustered_indexed, FromIndex, 2)

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
