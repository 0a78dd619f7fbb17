#pragma once

#include <memory>

#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"

namespace gridmark::maxwell {

/// The CPU version: OpenMP threads share the rows of a half step, by the widest vectors that the CPU has. The
/// three components of a row come one after the other, while its neighbours are in the cache. Gives the
/// reference's bits. `coefficients` must outlive it.
template <class T>
std::unique_ptr<Solver<T>> cpu_openmp(const Problem& problem, const Coefficients<T>& coefficients,
                                      int threads);

}  // namespace gridmark::maxwell
