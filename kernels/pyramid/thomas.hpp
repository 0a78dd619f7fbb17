#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "kernels/pyramid/problem.hpp"

namespace gridmark::pyramid {

/// Thomas's algorithm for A of any order up to `largest`. Its factors are made once: they depend on s and the
/// row only, and are the same from some row on.
template <class T>
class Thomas {
  public:
    Thomas(double s, std::size_t largest);
    /// Solves A x = x in place; x has at most `largest` values.
    void solve(std::span<T> x) const;

  private:
    T s_;
    std::vector<T> pivot_;  ///< 1 / (pivot of row i); the last holds for all further rows
};

/// The contract of every version: `steps` steps of the whole rod, serial, in double. `u` is n values.
std::vector<double> reference_solve(const Problem& problem, std::span<const double> u, int steps);

/// Values begin ... end - 1 of it to rounding, for starts up to 1, without the rest of the rod. It takes the
/// start there and as far around as `steps` steps reach.
std::vector<double> reference_window(const Problem& problem, const std::function<double(std::size_t)>& start,
                                     std::size_t begin, std::size_t end, int steps);

/// The largest error by rounding to T in `steps` steps of this study's solvers, on a device or the CPU, for
/// starts up to 1. A recurrence with the ratio lambda sums 1 / (1 - lambda) roundings, and A^-1 enlarges
/// none.
template <class T>
double rounding_bound(double s, int steps);

}  // namespace gridmark::pyramid
