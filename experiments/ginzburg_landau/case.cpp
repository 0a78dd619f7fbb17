#include "experiments/ginzburg_landau/case.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/ginzburg_landau/problem.hpp"
#include "kernels/ginzburg_landau/reference.hpp"

namespace gridmark::ginzburg_landau {
namespace {

/// As long as the proven bound is still near to what rounding does: it grows sixfold with a step.
constexpr int steps_of_a_bound = 3;

double scale(const std::vector<double>& field) {
    double largest = 0;
    for (const double value : field)
        largest = std::max(largest, std::abs(value));
    return largest;
}

}  // namespace

template <class T>
Case<T>::Case(int n, std::uint64_t seed, int most_steps) : problem(medium(n)) {
    this->start = random_state<T>(problem, seed, 0.5);
    const std::vector<double> start(this->start.begin(), this->start.end());
    for (this->steps = most_steps;; this->steps = this->steps / 2 | 1) {
        double largest = 0;
        this->reference = reference_solve<double>(problem, start, this->steps, &largest);
        if (this->steps <= steps_of_a_bound) {
            this->tolerance = rounding_bound<T>(problem, this->steps, largest);
            return;
        }
        this->tolerance = rounding_spread<T>(problem, this->start, this->steps, this->reference, seed);
        if (harness::Verification{{}, 0, this->tolerance, this->steps, scale(this->reference)}.can_fail())
            return;
    }
}

template struct Case<float>;
template struct Case<double>;

}  // namespace gridmark::ginzburg_landau
