#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "kernels/jacobi/reference.hpp"

/// What the tests of all versions sweep over.
namespace gridmark::jacobi_tests {

/// Random everywhere, walls and body too.
template <class T>
std::vector<T> random_field(const jacobi::Problem& p, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T> field(static_cast<std::size_t>(p.nx) * p.ny);
    for (T& value : field)
        value = uniform(engine);
    return field;
}

/// `field` with `value` at every point that is (not) fixed.
template <class T>
std::vector<T> with(const jacobi::Problem& p, std::vector<T> field, bool fixed, T value) {
    for (int j = 0; j < p.ny; ++j)
        for (int i = 0; i < p.nx; ++i)
            if ((kind(p, i, j) == jacobi::Kind::fixed) == fixed) field[i + j * p.nx] = value;
    return field;
}

/// `field` with NaN wherever a sweep must write.
template <class T>
std::vector<T> poisoned(const jacobi::Problem& p, const std::vector<T>& field) {
    return with(p, field, false, std::numeric_limits<T>::quiet_NaN());
}

/// A channel spaced so that hx != hy and c is not small beside a and b.
inline jacobi::Problem uneven_channel(int nx, int ny) {
    jacobi::Problem p = jacobi::channel(nx, ny);
    p.hx = 0.9;
    p.hy = 0.7;
    return p;
}

/// Expects `got` to be what the reference makes of psi in so many sweeps, but for the rounding of T.
template <class T>
void expect_swept(const jacobi::Problem& p, const std::vector<T>& psi, const std::vector<T>& omega,
                  int sweeps, const std::vector<T>& got) {
    const auto expected = jacobi::reference_solve(p, std::vector<double>(psi.begin(), psi.end()),
                                                  std::vector<double>(omega.begin(), omega.end()), sweeps);
    const double bound = jacobi::rounding_bound<T>(sweeps, 1, std::abs(jacobi::coefficients<double>(p).c));
    for (std::size_t k = 0; k < got.size(); ++k)
        ASSERT_LE(std::abs(static_cast<double>(got[k]) - expected[k]), bound)  // false for NaN
            << "at (" << k % p.nx << ", " << k / p.nx << "): " << got[k] << " instead of " << expected[k];
}

}  // namespace gridmark::jacobi_tests
