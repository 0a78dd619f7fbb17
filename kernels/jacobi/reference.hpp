#pragma once

#include <span>

#include "kernels/jacobi/problem.hpp"
#include "kernels/storage.hpp"

namespace gridmark::jacobi {

/// The contract of every variant: one sweep in double. Rows are shared out among threads; a value is the same
/// by any number of them.
///   inside:  psi'[i,j] = a (psi[i+1,j] + psi[i-1,j]) + b (psi[i,j+1] + psi[i,j-1]) + c omega[i,j]
///   outflow: psi'[i,j] = psi[i-1,j]
///   fixed:   psi'[i,j] is not written; both buffers must hold the value.
/// All spans hold nx * ny values; `next` must not alias `psi`. Source: paper, equation (1.2) and section 2.2.
void reference_sweep(const Problem& problem, std::span<const double> psi, std::span<const double> omega,
                     std::span<double> next);

/// `sweeps` reference sweeps from `psi`, which is left untouched; returns the last field.
Storage<double> reference_solve(const Problem& problem, std::span<const double> psi,
                                std::span<const double> omega, int sweeps);

}  // namespace gridmark::jacobi
