// A whole step in one launch, coefficients from the nine arrays: 84 bytes a node in float.
#include "kernels/maxwell/gpu_single_pass.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

GRIDMARK_SINGLE_PASS(single_pass, FromArrays)

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
