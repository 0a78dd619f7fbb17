#pragma once

#include <memory>

#include "kernels/maxwell/cpu_row.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"

namespace gridmark::maxwell {

/// The CPU version: OpenMP threads share the rows of a half step, by the widest vectors that the CPU has. The
/// three components of a row come one after the other, while its neighbours are in the cache. Gives the
/// reference's bits. `coefficients` must outlive it.
template <class T>
std::unique_ptr<Solver<T>> cpu_openmp(const Problem& problem, const Coefficients<T>& coefficients,
                                      int threads);

/// Its inner loops for the widest vectors that the CPU has.
template <class T>
using UpdateRow = void (*)(const Row<T>&, Along);
template <class T>
UpdateRow<T> widest_e_row();
template <class T>
UpdateRow<T> widest_h_row();
/// Which difference of component c's runs along a row.
Along along(int c);

/// The paper's CPU code: see cpu_plain.cpp. Gives the reference's bits. With the nine arrays, as its listings
/// read them; or with the cells' materials, looked up and averaged in every step as its section 2 says. In
/// float their average is rounded four times more often than that of the arrays.
template <class T>
std::unique_ptr<Solver<T>> cpu_plain(const Problem& problem, const Coefficients<T>& coefficients,
                                     int threads);
template <class T>
std::unique_ptr<Solver<T>> cpu_plain_lookup(const Problem& problem, const Body& body, int threads);

}  // namespace gridmark::maxwell
