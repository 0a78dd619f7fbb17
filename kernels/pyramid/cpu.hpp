#pragma once

#include <span>

#include "kernels/pyramid/problem.hpp"

namespace gridmark::pyramid {

/// A step of the whole rod on the CPU, shared by `threads` OpenMP threads: what gpu_local_inverse does, tile
/// by tile, with a vector's lanes on tiles of their own. x and f are n values each and not the same.
template <class T>
void cpu_openmp(const Problem& problem, std::span<const T> f, std::span<T> x, int threads);

}  // namespace gridmark::pyramid
