#pragma once

#include "kernels/isa.hpp"

/// The inner loop of `cpu_openmp`, once per instruction set (cpu_row.cpp): next[i] for begin <= i < end of
/// one row, all inside points. `psi`, `omega` and `next` point at the row's first value, `nx` is the distance
/// between rows. Call only what the CPU has.
#define GRIDMARK_DECLARE_SEGMENTS(ISA)                                                                      \
    namespace gridmark::jacobi::ISA {                                                                       \
    void segment_float(float a, float b, float c, const float* psi, const float* omega, float* next,        \
                       long nx, int begin, int end);                                                        \
    void segment_double(double a, double b, double c, const double* psi, const double* omega, double* next, \
                        long nx, int begin, int end);                                                       \
    }
GRIDMARK_FOR_EACH_ISA(GRIDMARK_DECLARE_SEGMENTS)
#undef GRIDMARK_DECLARE_SEGMENTS
