#include "kernels/ginzburg_landau/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "kernels/ginzburg_landau/update.hpp"
#include "kernels/random.hpp"
#include "kernels/storage.hpp"

namespace gridmark::ginzburg_landau {
namespace {

template <class T>
using State = Storage<Pair<T>>;

/// Calls body(i) for each of n points, on all threads where there are points enough to pay for them. Each
/// point is computed as one thread would: the bits do not depend on how many there are.
template <class Body>
void each(std::ptrdiff_t n, Body body) {
    constexpr std::ptrdiff_t worth_threads = 50000;
#pragma omp parallel for schedule(static) if (n > worth_threads)
    for (std::ptrdiff_t i = 0; i < n; ++i)
        body(i);
}

template <class T>
T largest_value(const State<T>& y) {
    T most = 0;
    const auto n = static_cast<std::ptrdiff_t>(y.size());
#pragma omp parallel for schedule(static) reduction(max : most)
    for (std::ptrdiff_t i = 0; i < n; ++i)
        most = std::max({most, std::abs(y[i].u), std::abs(y[i].v)});
    return most;
}

/// A run of the scheme, stage by stage.
template <class T>
class Run {
  public:
    /// From a state of 2 n values of any type.
    template <class Value>
    Run(const Problem& p, std::span<const Value> state)
        : n_(p.n), c_(coefficients<T>(p)), w_(weights<T>(p)), y_(n_), stage_(n_), after_(n_), next_(n_) {
        each(n_, [&](std::ptrdiff_t i) {
            y_[i] = {static_cast<T>(state[i]), static_cast<T>(state[n_ + i])};
        });
    }

    /// `largest`, where given, is raised to the largest value of the step's stages.
    void step(T* largest = nullptr) {
        each(n_, [&](std::ptrdiff_t i) { stage_[i] = next_[i] = y_[i]; });
        for (const auto& [weight, step] : {std::pair(w_.sixth, w_.half), std::pair(w_.third, w_.half),
                                           std::pair(w_.third, w_.whole), std::pair(w_.sixth, T{0})}) {
            if (largest != nullptr) *largest = std::max(*largest, largest_value(stage_));
            each(n_, [&, weight = weight, step = step](std::ptrdiff_t i) {
                const Pair<T> k =
                    rate(c_, stage_[i > 0 ? i - 1 : 0], stage_[i], stage_[i < n_ - 1 ? i + 1 : i]);
                next_[i] = plus(next_[i], weight, k);
                after_[i] = plus(y_[i], step, k);
            });
            stage_.swap(after_);
        }
        y_.swap(next_);
    }

    /// Calls change(value, i) for each value of the state, i from 0 to 2 n - 1.
    template <class Change>
    void change(Change change) {
        each(n_, [&](std::ptrdiff_t i) {
            change(y_[i].u, i);
            change(y_[i].v, n_ + i);
        });
    }

    std::vector<T> state() const {
        std::vector<T> result(2 * static_cast<std::size_t>(n_));
        each(n_, [&](std::ptrdiff_t i) {
            result[i] = y_[i].u;
            result[n_ + i] = y_[i].v;
        });
        return result;
    }

  private:
    std::ptrdiff_t n_;
    Coefficients<T> c_;
    Weights<T> w_;
    State<T> y_, stage_, after_, next_;
};

}  // namespace

template <class T>
std::vector<T> reference_solve(const Problem& p, std::span<const T> state, int steps, T* largest) {
    Run<T> run(p, state);
    if (largest != nullptr) *largest = 0;
    for (int s = 0; s < steps; ++s)
        run.step(largest);
    return run.state();
}

template <class T>
double rounding_spread(const Problem& p, std::span<const T> start, int steps, std::span<const double> exact,
                       std::uint64_t seed) {
    constexpr double unit = std::numeric_limits<T>::epsilon() / 2;
    Run<double> run(p, start);
    for (int s = 0; s < steps; ++s) {
        run.step();
        const std::uint64_t first = p.values() * static_cast<std::uint64_t>(s);
        run.change([&](double& value, std::ptrdiff_t i) {
            value += 4 * unit * (2 * unit_random(seed, first + i) - 1) * std::abs(value);
        });
    }
    const std::vector<double> state = run.state();
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
