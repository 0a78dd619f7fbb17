#pragma once

#include "kernels/ceilings/cpu_fma.hpp"

/// The chains' versions, once per instruction set (cpu_fma_chains.cpp). Call only what the CPU has.
#define GRIDMARK_DECLARE_FMA(ISA)       \
    namespace gridmark::ceilings::ISA { \
    CpuFma fma_float();                 \
    CpuFma fma_double();                \
    }
GRIDMARK_DECLARE_FMA(sse2)
GRIDMARK_DECLARE_FMA(avx2)
GRIDMARK_DECLARE_FMA(avx512)
#undef GRIDMARK_DECLARE_FMA
