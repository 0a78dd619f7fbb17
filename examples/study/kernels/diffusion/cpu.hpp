#pragma once

#include "kernels/diffusion/problem.hpp"

/// The study's CPU variants.
namespace gridmark::diffusion {

/// One step from `now` to `next` (n values each), shared by `threads` OpenMP threads.
template <class T>
void cpu_openmp(const Problem& problem, const T* now, T* next, int threads);

}  // namespace gridmark::diffusion
