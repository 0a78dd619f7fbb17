#pragma once

#include <string_view>

#include "kernels/isa.hpp"
#include "kernels/jacobi/problem.hpp"

/// The study's CPU versions. Each does one sweep as `reference_sweep` states it, in T, from `psi` to `next`.
namespace gridmark::jacobi {

/// The plain serial loop of 2013: every point classified where it stands; compiled without vectorisation.
template <class T>
void cpu_naive(const Problem& problem, const T* psi, const T* omega, T* next);

/// Rows shared by `threads` OpenMP threads, each row cut at the body so that the inner loop is free of
/// conditions and vectorises; the widest instruction set of this CPU is used (AVX-512, AVX2, else SSE2).
template <class T>
void cpu_openmp(const Problem& problem, const T* psi, const T* omega, T* next, int threads);

/// A CPU version; one that is not `parallel` runs in one thread, whatever it is given.
template <class T>
struct CpuVariant {
    std::string_view name;
    bool parallel;
    void (*sweep)(const Problem&, const T* psi, const T* omega, T* next, int threads);
};

template <class T>
inline constexpr CpuVariant<T> cpu_variants[]{
    {.name = "cpu_naive",
     .parallel = false,
     .sweep = [](const Problem& p, const T* psi, const T* omega, T* next,
                 int) { cpu_naive(p, psi, omega, next); }},
    {.name = "cpu_openmp", .parallel = true, .sweep = cpu_openmp<T>},
};

}  // namespace gridmark::jacobi

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

namespace gridmark::jacobi {

template <class T>
using Segment = void (*)(T, T, T, const T*, const T*, T*, long, int, int);

/// Of those inner loops the one for the widest set that this CPU has.
template <class T>
Segment<T> widest_segment();

}  // namespace gridmark::jacobi
