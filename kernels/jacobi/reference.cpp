#include "kernels/jacobi/problem.hpp"

#include <utility>

#include "kernels/jacobi/update.hpp"
#include "kernels/precision.hpp"

namespace gridmark::jacobi {

void reference_sweep(const Problem& p, std::span<const double> psi, std::span<const double> omega,
                     std::span<double> next) {
    const auto coefficient = coefficients<double>(p);
    const std::size_t nx = p.nx;
#pragma omp parallel for schedule(static)
    for (int j = 0; j < p.ny; ++j) {
        for (int i = 0; i < p.nx; ++i) {
            const std::size_t k = i + j * nx;
            const Kind point = kind(p, i, j);
            if (point == Kind::inside)
                next[k] = update(coefficient, psi[k + 1], psi[k - 1], psi[k + nx], psi[k - nx], omega[k]);
            else if (point == Kind::outflow)
                next[k] = psi[k - 1];
        }
    }
}

Storage<double> reference_solve(const Problem& p, std::span<const double> psi, std::span<const double> omega,
                                int sweeps) {
    Storage<double> current = in_double(psi), next = in_double(psi);
    for (int s = 0; s < sweeps; ++s) {
        reference_sweep(p, current, omega, next);
        std::swap(current, next);
    }
    return current;
}

}  // namespace gridmark::jacobi
