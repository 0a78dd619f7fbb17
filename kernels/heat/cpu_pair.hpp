#pragma once

#include "kernels/heat/plane_pair.hpp"
#include "kernels/isa.hpp"

/// The rows from `begin` to `end` (excluded, both within the pair's) of a pair of planes, once per
/// instruction set (cpu_pair.cpp). Call only what the CPU has.
#define GRIDMARK_DECLARE_PAIRS(ISA)                                                                     \
    namespace gridmark::heat::ISA {                                                                     \
    void pair_float(const Coefficients<float>& k, const PlanePair<float>& pair, int begin, int end);    \
    void pair_double(const Coefficients<double>& k, const PlanePair<double>& pair, int begin, int end); \
    }
GRIDMARK_FOR_EACH_ISA(GRIDMARK_DECLARE_PAIRS)
#undef GRIDMARK_DECLARE_PAIRS
