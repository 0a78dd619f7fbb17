#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "kernels/pyramid/problem.hpp"

/// Implicit heat in two and three dimensions: U_t = alpha^2 Laplace(U) in a box, U = C outside. A step is the
/// product over the axes of Crank and Nicolson's in one of them,
///   (I + s/2 D)^-1 (I - s/2 D),  D = tridiag(-1, 2, -1),  s = alpha^2 h_t / h^2.
/// With y = (I + s/2 D)^-1 f that is 2 y - f: a rod's solve with s / 2 an axis.
///
/// The axes' operators commute, for their coefficients are constant and U - C is zero outside. So splitting
/// loses nothing: the step has second order in time, and U = C stays. (Splittings that put boundary values
/// into each axis's solve lose both.)
namespace gridmark::pyramid {

/// Interior unknowns, x fastest: [nz][ny][nx]. Two dimensions have no sweep along z, and layers do not meet.
struct Box {
    std::size_t nx, ny, nz;
    double s;
    int dimensions = 3;

    std::size_t layer() const { return nx * ny; }
    std::size_t size() const { return nx * ny * nz; }
};

/// Throws std::invalid_argument unless all sizes are positive, s is positive and at most 1e4, and two
/// dimensions have one layer.
Box box_of(std::size_t nx, std::size_t ny, std::size_t nz, double s, int dimensions);

/// A step's factor of the sine with mx, my, mz half waves over the box: the product over the axes of
/// (1 - 2 s w) / (1 + 2 s w), w = sin^2(m pi / (2 (n + 1))).
double box_sine_factor(const Box& box, double mx, double my, double mz);

/// Points after which a sweep may take the rest as zero: what that leaves out is at most `share` of the
/// largest value. A sweep's backward recurrence starts so far ahead.
std::size_t box_reach(double s, double share);

/// What steps may make of a largest value at most. Up to s = 3/2 a step's weights are all positive, and their
/// sum is 1. Beyond, no number of Crank and Nicolson's steps in one axis makes more than 4.325 of it. Source:
/// Farago and Palencia, Applied Numerical Mathematics 42 (2002), for steps and meshes of any size.
double box_growth(const Box& box);

/// What a sweep along an axis computes with: y[i] = f[i] + lambda y[i-1], x[i] = y[i] + lambda x[i+1], and
/// scale x[i] - f[i]. Beyond the far end x is zero, as the box is odd about it; before the near end y is
/// -lambda times the backward sum of f, for the same reason.
template <class T>
struct AxisSolve {
    T lambda, scale;  ///< lambda of s / 2, and 2 (1 - lambda)^2
    int reach;        ///< points that the backward recurrence looks ahead at least
};

/// With what is left out at most `share` of the largest value.
template <class T>
AxisSolve<T> axis_solve_of(double s, double share) {
    const double lambda = decay(s / 2);
    return {static_cast<T>(lambda), static_cast<T>(2 * (1 - lambda) * (1 - lambda)),
            static_cast<int>(box_reach(s, share))};
}

/// What rounding to T can do in `steps` steps, for values up to 1: of each sweep twice a rod's solve
/// (rounding_bound in thomas.hpp), for its answer is 2 y - f.
template <class T>
double box_rounding_bound(const Box& box, int steps);

/// The same of versions that form (I - s/2 D) f and solve with any three diagonals, as libraries do. Such a
/// solver may round twice as much. The right-hand side is a sum of three, and its weights are
/// |1 - s| + s together.
template <class T>
double box_solver_bound(const Box& box, int steps);

/// The contract of every version: `steps` steps, serial, by Thomas's algorithm in double.
std::vector<double> reference_box(const Box& box, std::span<const double> u, int steps);

/// A step on the CPU, in place, shared by `threads` OpenMP threads.
template <class T>
void cpu_box(const Box& box, std::span<T> u, int threads);

}  // namespace gridmark::pyramid
