#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

/// The complex Ginzburg-Landau equation in one dimension by the method of lines, with classical fourth-order
/// Runge-Kutta steps. Source: "Massive parallelism and synchronisation in CUDA by the example of a large ODE
/// system" (slides, in Russian). The real system is the printed one, which belongs to 1 - i a:
///   u' = u + d (Lu + a Lv) - (u^2 + v^2) (u - b v)
///   v' = v + d (-a Lu + Lv) - (u^2 + v^2) (b u + v)
/// with Lu = u[i+1] + u[i-1] - 2 u[i] inside and the one-sided difference at both ends (Neumann).
///
/// A state is 2 n values: u[0 ... n), then v[0 ... n).
namespace gridmark::ginzburg_landau {

/// n pairs (u, v); d holds 1 / dx^2.
struct Problem {
    int n;
    double dt, d, a, b;

    std::size_t values() const { return 2 * static_cast<std::size_t>(n); }
};

/// The study's defaults: the slides give none. d = 1, a = 1, b = 0.5, dt = 0.1, so that 1 - a b > 0 (the
/// uniform state is stable) and the step is stable. Throws std::invalid_argument where n is below 2 or 2 n is
/// 2^31 or more.
Problem medium(int n);

/// The same with other numbers: dt and d positive, all finite. 1 - a b <= 0 is allowed: parts of the state
/// then run by chaos, and no two versions agree for long.
Problem medium(int n, double dt, double d, double a, double b);

/// Largest growth factor in absolute value that one step gives a decaying wave around the uniform state |W| =
/// 1; the step is stable up to 1. The wave of symbol -s (0 <= s <= 4 d) has the eigenvalues of
/// [[-2 - s, -a s], [-2 b + a s, -s]] in the frame that turns with the state, and a Runge-Kutta step
/// multiplies by 1 + z + z^2/2 + z^3/6 + z^4/24, z = dt times the eigenvalue.
double growth_per_step(const Problem& problem);

/// The problem's dt if its step is stable, else the largest smaller one that is, to a thousandth; 0 where
/// there is none.
double stable_dt(const Problem& problem);

/// What the right-hand side multiplies with, rounded once to T: d, d a and b.
template <class T>
struct Coefficients {
    T d, da, b;
};
template <class T>
Coefficients<T> coefficients(const Problem& p) {
    return {static_cast<T>(p.d), static_cast<T>(p.d * p.a), static_cast<T>(p.b)};
}

/// dt / 6, dt / 3, dt / 2 and dt: what the four stages weigh with.
template <class T>
struct Weights {
    T sixth, third, half, whole;
};
template <class T>
Weights<T> weights(const Problem& p) {
    return {static_cast<T>(p.dt / 6), static_cast<T>(p.dt / 3), static_cast<T>(p.dt / 2),
            static_cast<T>(p.dt)};
}

/// Declared cost of a step, counted by tests: the least traffic (the state read and written once) and the
/// operations, 25 a rate and 4 for each vector that a rate is added to.
template <class T>
constexpr double bytes_per_pair = 4.0 * sizeof(T);
constexpr double flops_per_pair = 4 * 25 + 7 * 4;

/// How far rounding to T can take any value of a state in some steps from what exact steps give, as long as
/// no value of a state or a stage is above `largest`. Every rate has at most 11 roundings in a chain of
/// additions of terms that sum up to K: the slides' own order of operations has most, seven sums, two
/// products and two coefficients. An error passes through a rate with its Lipschitz constant. Both are bounds
/// in the maximum norm, and grow with the number of steps as no real error does: for few steps.
template <class T>
double rounding_bound(const Problem& problem, int steps, double largest);

/// Random values, |u| and |v| up to `amplitude`, as a state of 2 n. From small ones the zero state, which is
/// unstable, grows into the uniform one of |W| = 1 in patches.
template <class T>
std::vector<T> random_state(const Problem& problem, std::uint64_t seed, double amplitude);

/// A wave along the domain with `waves` half periods, flat at both ends: u = 0.9 cos(k x), v = 0.3 cos(2 k
/// x).
template <class T>
std::vector<T> wave_state(const Problem& problem, int waves);

}  // namespace gridmark::ginzburg_landau
