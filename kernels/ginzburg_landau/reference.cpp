#include "kernels/ginzburg_landau/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/ginzburg_landau/update.hpp"
#include "kernels/random.hpp"

namespace gridmark::ginzburg_landau {
namespace {

template <class T>
using State = std::vector<Pair<T>>;

/// k = the right-hand side of y.
template <class T>
void rates(const Coefficients<T>& c, const State<T>& y, State<T>& k) {
    const int n = static_cast<int>(y.size());
    for (int i = 0; i < n; ++i)
        k[i] = rate(c, y[std::max(i - 1, 0)], y[i], y[std::min(i + 1, n - 1)]);
}

/// result = y + weight k; result may be y.
template <class T>
void sum(const State<T>& y, T weight, const State<T>& k, State<T>& result) {
    for (std::size_t i = 0; i < y.size(); ++i)
        result[i] = plus(y[i], weight, k[i]);
}

template <class T>
T largest_value(const State<T>& y) {
    T most = 0;
    for (const Pair<T>& at : y)
        most = std::max({most, std::abs(at.u), std::abs(at.v)});
    return most;
}

}  // namespace

template <class T>
std::vector<T> reference_solve(const Problem& p, std::span<const T> state, int steps, T* largest) {
    const auto c = coefficients<T>(p);
    const auto w = weights<T>(p);
    const auto n = static_cast<std::size_t>(p.n);
    State<T> y(n), stage(n), k(n), next(n);
    for (std::size_t i = 0; i < n; ++i)
        y[i] = {state[i], state[n + i]};
    T most = 0;
    for (int s = 0; s < steps; ++s) {
        stage = next = y;
        for (const auto& [weight, step] : {std::pair(w.sixth, w.half), std::pair(w.third, w.half),
                                           std::pair(w.third, w.whole), std::pair(w.sixth, T{0})}) {
            if (largest != nullptr) most = std::max(most, largest_value(stage));
            rates(c, stage, k);
            sum(next, weight, k, next);
            sum(y, step, k, stage);
        }
        y.swap(next);
    }
    if (largest != nullptr) *largest = most;
    std::vector<T> result(p.values());
    for (std::size_t i = 0; i < n; ++i) {
        result[i] = y[i].u;
        result[n + i] = y[i].v;
    }
    return result;
}

template <class T>
double rounding_spread(const Problem& p, std::span<const T> start, int steps, std::span<const double> exact,
                       std::uint64_t seed) {
    constexpr double unit = std::numeric_limits<T>::epsilon() / 2;
    std::vector<double> state(start.begin(), start.end());
    std::uint64_t index = 0;
    for (int s = 0; s < steps; ++s) {
        state = reference_solve<double>(p, state, 1);
        for (double& value : state)
            value += 4 * unit * (2 * unit_random(seed, index++) - 1) * std::abs(value);
    }
    double most = 0;
    for (std::size_t i = 0; i < state.size(); ++i)
        most = std::max(most, std::abs(state[i] - exact[i]));
    return 4 * most;
}

template double rounding_spread(const Problem&, std::span<const float>, int, std::span<const double>,
                                std::uint64_t);
template double rounding_spread(const Problem&, std::span<const double>, int, std::span<const double>,
                                std::uint64_t);
template std::vector<float> reference_solve(const Problem&, std::span<const float>, int, float*);
template std::vector<double> reference_solve(const Problem&, std::span<const double>, int, double*);

}  // namespace gridmark::ginzburg_landau
