#include "kernels/ginzburg_landau/start.hpp"

#include <cmath>
#include <numbers>

#include "kernels/random.hpp"

namespace gridmark::ginzburg_landau {

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
