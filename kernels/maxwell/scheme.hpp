#pragma once

/// The scheme of all versions, for any number type, in the order of operations that the reference states.
/// Directions x, y, z are 0, 1, 2; those behind c in cyclic order are next(c) and before(c).
/// Source: paper, section 2; Gaussian units, sigma stands for 4 pi sigma / c.
namespace gridmark::maxwell {

constexpr int next(int c) {
    return (c + 1) % 3;
}
constexpr int before(int c) {
    return (c + 2) % 3;
}

/// First index along `axis` of component c that a half step updates; the last one is n - 1.
constexpr int first_e(int c, int axis) {
    return c == axis ? 1 : 0;
}
constexpr int first_h(int c, int axis) {
    return c == axis ? 0 : 1;
}

/// Component c of rot F from F's components `b` = before(c) and `a` = next(c): differences towards next(c)
/// and before(c), times the inverse spacings there.
template <class T>
constexpr T rotation(T b_low, T b_high, T inverse_a, T a_low, T a_high, T inverse_b) {
    return (b_high - b_low) * inverse_a - (a_high - a_low) * inverse_b;
}

/// What of the next two formulas depends on the material alone.
template <class T>
constexpr T e_denominator(T eps, T sigma, T dct) {
    return eps + sigma * dct;
}
template <class T>
constexpr T h_factor(T mu, T dct) {
    return dct / mu;
}

/// E a step later: eps dE/dt + sigma E = rot H, sigma at the new time. What is divided, and the quotient.
template <class T>
constexpr T e_dividend(T e, T rot_h, T eps, T dct) {
    return dct * rot_h + eps * e;
}
template <class T>
constexpr T next_e(T e, T rot_h, T eps, T sigma, T dct) {
    return e_dividend(e, rot_h, eps, dct) / e_denominator(eps, sigma, dct);
}

/// H a step later: mu dH/dt = -rot E. In full, or with what is known already.
template <class T>
constexpr T next_h_by(T factor, T h, T rot_e) {
    return h - factor * rot_e;
}
template <class T>
constexpr T next_h(T h, T rot_e, T mu, T dct) {
    return next_h_by(h_factor(mu, dct), h, rot_e);
}

/// What a cell's step moves at least, in values. Six kernels read each component of the other field twice,
/// one kernel a field once; one for both reads no field twice. The last has a byte for the coefficients.
inline constexpr int values_six = 3 * 6 + 3 * 5;
inline constexpr int values_fused = 15 + 12;
inline constexpr int values_whole = 6 + 9 + 6;
/// Bytes of a cell's coefficients.
template <class T>
constexpr std::size_t coefficient_bytes(bool by_index) {
    return by_index ? 1 : 9 * sizeof(T);
}
template <class T>
inline constexpr double values_indexed = 12 + 1.0 * coefficient_bytes<T>(true) / sizeof(T);
/// Six kernels that look up materials: a cell's number instead of coefficients, once in each.
template <class T>
inline constexpr double values_lookup = 6 * 4 + 6.0 * sizeof(int) / sizeof(T);
/// Operations of a cell's step, a division counted as one: a rotation is 5, E takes 6 more, H 3.
inline constexpr int flops_per_cell = 3 * (5 + 6) + 3 * (5 + 3);
/// Those of a step that looks up materials: four shares are multiplied, and seven operations make each mean
/// of four; a mean of two takes three.
inline constexpr int flops_per_cell_lookup = flops_per_cell + 3 * (4 + 2 * 7) + 3 * 3;

}  // namespace gridmark::maxwell
