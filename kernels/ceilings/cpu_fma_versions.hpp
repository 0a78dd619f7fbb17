#pragma once

#include "kernels/ceilings/cpu_fma.hpp"

// One namespace for each instruction set, as one definition of a shared template compiled for the widest
// would be executed everywhere. Nothing here may be called before the processor was asked.
namespace gridmark::ceilings {

namespace baseline {
CpuFma fma_float();
CpuFma fma_double();
}  // namespace baseline

#if defined(__x86_64__)
namespace avx2 {
CpuFma fma_float();
CpuFma fma_double();
}  // namespace avx2

namespace avx512 {
CpuFma fma_float();
CpuFma fma_double();
}  // namespace avx512
#endif

}  // namespace gridmark::ceilings
