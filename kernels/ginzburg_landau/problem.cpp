#include "kernels/ginzburg_landau/problem.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "kernels/random.hpp"

namespace gridmark::ginzburg_landau {

Problem medium(int n) {
    return medium(n, 0.1, 1, 1, 0.5);
}

Problem medium(int n, double dt, double d, double a, double b) {
    if (n < 2) throw std::invalid_argument("n must be at least 2");
    if (n >= 1 << 30) throw std::invalid_argument("n must be below 2^30");
    if (!(dt > 0) || !std::isfinite(dt)) throw std::invalid_argument("dt must be positive");
    if (!(d > 0) || !std::isfinite(d)) throw std::invalid_argument("d must be positive");
    if (!std::isfinite(d * a)) throw std::invalid_argument("a must be finite");
    if (!std::isfinite(b)) throw std::invalid_argument("b must be finite");
    return {n, dt, d, a, b};
}

double growth_per_step(const Problem& p) {
    constexpr int waves = 1024;
    double most = 0;
    for (int k = 0; k <= waves; ++k) {
        const double s = 4 * p.d * k / waves, half_trace = -1 - s;
        const double determinant = (2 + s) * s + p.a * s * (p.a * s - 2 * p.b);
        const std::complex<double> root =
            std::sqrt(std::complex<double>(half_trace * half_trace - determinant));
        for (const std::complex<double> eigenvalue : {half_trace + root, half_trace - root}) {
            if (eigenvalue.real() > 0) continue;  // grows by itself
            const std::complex<double> z = p.dt * eigenvalue;
            most = std::max(most, std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)))));
        }
    }
    return most;
}

double stable_dt(const Problem& p) {
    if (growth_per_step(p) <= 1) return p.dt;
    double stable = 0, unstable = p.dt;
    // There is an end to it where no step is stable, as with coefficients whose products overflow.
    for (int halvings = 0; halvings < 60 && unstable - stable > 1e-3 * unstable; ++halvings) {
        const double middle = (stable + unstable) / 2;
        (growth_per_step({p.n, middle, p.d, p.a, p.b}) <= 1 ? stable : unstable) = middle;
    }
    return stable;
}

template <class T>
double rounding_bound(const Problem& p, int steps, double r) {
    constexpr double unit = std::numeric_limits<T>::epsilon() / 2;
    constexpr int in_sum = 3;   // roundings of y + weight * k
    constexpr int in_last = 8;  // of the new state: four such sums, or y + dt (k1 + 2 k2 + 2 k3 + k4) / 6
    const double a = 1 + std::abs(p.a), b = 1 + std::abs(p.b), h = p.dt;
    const double rate = r + 4 * p.d * a * r + 2 * b * r * r * r;  // K
    const double lipschitz = 1 + 4 * p.d * a + 6 * b * r * r;
    const double in_rate = 11 * unit * rate;
    // Error of the stage vector now + step * rate, when the rate's vector had the error `before`.
    const auto stage = [&](double step, double before) {
        return step * (lipschitz * before + in_rate) + in_sum * unit * (r + step * rate);
    };
    const double second = stage(h / 2, 0), third = stage(h / 2, second), fourth = stage(h, third);
    const double a_step =
        h * in_rate + h * lipschitz * (second / 3 + third / 3 + fourth / 6) + in_last * unit * (r + h * rate);
    const double x = h * lipschitz, growth = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4)));
    double error = 0;
    for (int s = 0; s < steps; ++s)
        error = growth * error + a_step;
    return error;
}

template double rounding_bound<float>(const Problem&, int, double);
template double rounding_bound<double>(const Problem&, int, double);

template <class T>
std::vector<T> random_state(const Problem& p, std::uint64_t seed, double amplitude) {
    std::vector<T> state(p.values());
    const auto values = static_cast<std::ptrdiff_t>(state.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < values; ++i)
        state[i] = static_cast<T>(amplitude * (2 * unit_random(seed, static_cast<std::uint64_t>(i)) - 1));
    return state;
}

template <class T>
std::vector<T> wave_state(const Problem& p, int waves) {
    std::vector<T> state(p.values());
    const auto n = static_cast<std::size_t>(p.n);
    for (std::size_t i = 0; i < n; ++i) {
        const double phase = std::numbers::pi * waves * (static_cast<double>(i) + 0.5) / p.n;
        state[i] = static_cast<T>(0.9 * std::cos(phase));
        state[n + i] = static_cast<T>(0.3 * std::cos(2 * phase));
    }
    return state;
}

template std::vector<float> random_state(const Problem&, std::uint64_t, double);
template std::vector<double> random_state(const Problem&, std::uint64_t, double);
template std::vector<float> wave_state(const Problem&, int);
template std::vector<double> wave_state(const Problem&, int);

}  // namespace gridmark::ginzburg_landau
