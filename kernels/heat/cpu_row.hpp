#pragma once

#include "kernels/heat/plane_pair.hpp"
#include "kernels/heat/problem.hpp"
#include "kernels/isa.hpp"

/// A part of one row of the blocked versions, once per instruction set (cpu_row.cpp): next[i] for 0 <= i <
/// count. `now`, `beta` and `next` point at the part's first value, `row` and `plane` are distances in `now`.
/// With `streaming`, `next` must be aligned to 64 bytes; the caller fences. Call only what the CPU has.
#define GRIDMARK_DECLARE_ROWS(ISA)                                                                          \
    namespace gridmark::heat::ISA {                                                                         \
    void row_float(const Coefficients<float>& k, const float* now, const float* beta, float* next, int row, \
                   int plane, int count, bool streaming);                                                   \
    void row_double(const Coefficients<double>& k, const double* now, const double* beta, double* next,     \
                    int row, int plane, int count, bool streaming);                                         \
    }
GRIDMARK_DECLARE_ROWS(scalar)
GRIDMARK_FOR_EACH_ISA(GRIDMARK_DECLARE_ROWS)
#undef GRIDMARK_DECLARE_ROWS

/// The rows from `begin` to `end` (excluded, both within the pair's) of a pair of planes, once per
/// instruction set (cpu_pair.cpp). Call only what the CPU has.
#define GRIDMARK_DECLARE_PAIRS(ISA)                                                                     \
    namespace gridmark::heat::ISA {                                                                     \
    void pair_float(const Coefficients<float>& k, const PlanePair<float>& pair, int begin, int end);    \
    void pair_double(const Coefficients<double>& k, const PlanePair<double>& pair, int begin, int end); \
    }
GRIDMARK_FOR_EACH_ISA(GRIDMARK_DECLARE_PAIRS)
#undef GRIDMARK_DECLARE_PAIRS
