#include "kernels/ginzburg_landau/reference.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "kernels/ginzburg_landau/update.hpp"

namespace gridmark::ginzburg_landau {
namespace {

/// The right-hand side of a whole state.
template <class T>
std::vector<Pair<T>> rates(const Coefficients<T>& c, const std::vector<Pair<T>>& y) {
    const int n = static_cast<int>(y.size());
    std::vector<Pair<T>> k(y.size());
    for (int i = 0; i < n; ++i)
        k[i] = rate(c, y[std::max(i - 1, 0)], y[i], y[std::min(i + 1, n - 1)]);
    return k;
}

template <class T>
std::vector<Pair<T>> sum(const std::vector<Pair<T>>& y, T weight, const std::vector<Pair<T>>& k) {
    std::vector<Pair<T>> result(y.size());
    for (std::size_t i = 0; i < y.size(); ++i)
        result[i] = plus(y[i], weight, k[i]);
    return result;
}

}  // namespace

template <class T>
std::vector<T> reference_solve(const Problem& p, std::span<const T> state, int steps, T* largest) {
    const auto c = coefficients<T>(p);
    const auto w = weights<T>(p);
    const auto n = static_cast<std::size_t>(p.n);
    std::vector<Pair<T>> y(n);
    for (std::size_t i = 0; i < n; ++i)
        y[i] = {state[i], state[n + i]};
    T most = 0;
    const auto rates_of = [&](const std::vector<Pair<T>>& stage) {
        for (const Pair<T>& at : stage)
            most = std::max({most, std::abs(at.u), std::abs(at.v)});
        return rates(c, stage);
    };
    for (int s = 0; s < steps; ++s) {
        const auto k1 = rates_of(y);
        const auto k2 = rates_of(sum(y, w.half, k1));
        const auto k3 = rates_of(sum(y, w.half, k2));
        const auto k4 = rates_of(sum(y, w.whole, k3));
        y = sum(sum(sum(sum(y, w.sixth, k1), w.third, k2), w.third, k3), w.sixth, k4);
    }
    if (largest != nullptr) *largest = most;
    std::vector<T> result(p.values());
    for (std::size_t i = 0; i < n; ++i) {
        result[i] = y[i].u;
        result[n + i] = y[i].v;
    }
    return result;
}

template std::vector<float> reference_solve(const Problem&, std::span<const float>, int, float*);
template std::vector<double> reference_solve(const Problem&, std::span<const double>, int, double*);

}  // namespace gridmark::ginzburg_landau
