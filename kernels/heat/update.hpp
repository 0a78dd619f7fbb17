#pragma once

#include "kernels/heat/problem.hpp"

namespace gridmark::heat {

/// A point's neighbours along one axis: two before it and two behind it.
template <class T>
struct Axis {
    T m2, m1, p1, p2;
};

/// The neighbours that lie `stride` and twice `stride` values away.
template <class T>
constexpr Axis<T> neighbours(const T* at, int stride) {
    return {at[-2 * stride], at[-stride], at[stride], at[2 * stride]};
}

/// Twelve times the second derivative along an axis, to fourth order: 3 multiplications and 4 additions, and
/// 1 multiplication by 1 / dx^2. Source: thesis, equation (2.5), signs and power of h mended.
template <class T>
constexpr T second_derivative(T centre, const Axis<T>& a, T inverse_dx2) {
    return (T(16) * a.m1 - a.m2 - T(30) * centre + T(16) * a.p1 - a.p2) * inverse_dx2;
}

/// The new temperature of a point from beta dt / 12. T is a number or a vector of numbers.
template <class T>
constexpr T update_scaled(const Coefficients<T>& k, T centre, const Axis<T>& x, const Axis<T>& y,
                          const Axis<T>& z, T beta_dt_12) {
    const T sum = second_derivative(centre, x, k.inverse_dx2) + second_derivative(centre, y, k.inverse_dy2) +
                  second_derivative(centre, z, k.inverse_dz2);
    return centre + beta_dt_12 * sum;
}

/// The new temperature of a point: 29 operations, counted as the thesis counts them. Source: thesis, equation
/// (2.10), signs mended.
template <class T>
constexpr T update(const Coefficients<T>& k, T centre, const Axis<T>& x, const Axis<T>& y, const Axis<T>& z,
                   T beta) {
    return update_scaled(k, centre, x, y, z, beta * k.dt_12);
}

}  // namespace gridmark::heat
