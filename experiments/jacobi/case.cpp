#include "experiments/jacobi/case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/jacobi/problem.hpp"
#include "kernels/precision.hpp"

namespace gridmark::jacobi {

template <class T>
Case<T>::Case(int nx, int ny, std::uint64_t seed, int sweeps)
    : problem(channel(nx, ny)),
      steps(sweeps),
      start(initial_psi<T>(problem, seed)),
      omega(random_omega<T>(problem, seed)),
      target(start.size()) {
#pragma omp parallel for
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            const std::size_t k = i + static_cast<std::size_t>(j) * nx;
            target[k] = kind(problem, i, j) == Kind::fixed ? start[k] : std::numeric_limits<T>::quiet_NaN();
        }
    const auto psi = in_double<T>(start), source = in_double<T>(omega);
    reference = reference_solve(problem, psi, source, sweeps);
    double psi_max = 0;
#pragma omp parallel for reduction(max : psi_max)
    for (std::size_t k = 0; k < psi.size(); ++k)
        psi_max = std::max(psi_max, std::abs(psi[k]));
    tolerance = rounding_bound<T>(sweeps, psi_max, std::abs(coefficients<double>(problem).c));
}

template struct Case<float>;
template struct Case<double>;

}  // namespace gridmark::jacobi
