#pragma once

#include "kernels/ceilings/cpu_fma.hpp"
#include "kernels/isa.hpp"

/// The chains' versions, once per instruction set (cpu_fma_chains.cpp). Call only what the CPU has.
#define GRIDMARK_DECLARE_FMA(ISA)       \
    namespace gridmark::ceilings::ISA { \
    CpuFma fma_float();                 \
    CpuFma fma_double();                \
    }
GRIDMARK_FOR_EACH_ISA(GRIDMARK_DECLARE_FMA)
#undef GRIDMARK_DECLARE_FMA
