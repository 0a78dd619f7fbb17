#include "experiments/ginzburg_landau/case.hpp"

#include "harness/cache.hpp"
#include "kernels/ginzburg_landau/reference.hpp"
#include "kernels/ginzburg_landau/start.hpp"

namespace gridmark::ginzburg_landau {
namespace {

/// As long as the proven bound is still near to what rounding does: it grows sixfold with a step.
constexpr int steps_of_a_bound = 3;

}  // namespace

template <class T>
Case<T>::Case(int n, std::uint64_t seed, int steps) : problem(medium(n)), seed(seed) {
    this->steps = steps;
    this->start = random_state<T>(problem, seed, 0.5);
    double largest = 0;
    this->reference = reference_solve<double>(
        problem, std::vector<double>(this->start.begin(), this->start.end()), this->steps, &largest);
    this->tolerance = steps <= steps_of_a_bound
                          ? rounding_bound<T>(problem, steps, largest)
                          : rounding_spread<T>(problem, this->start, steps, this->reference, seed);
}

template <class T>
std::shared_ptr<const Case<T>> shared_case(int n, std::uint64_t seed, int steps) {
    static harness::Cache<Case<T>> cases;
    const double bytes = 2.0 * n * (sizeof(T) + sizeof(double));
    return cases.get([&](const Case<T>& c) { return c.problem.n == n && c.seed == seed && c.steps == steps; },
                     bytes, [&] { return std::make_shared<const Case<T>>(n, seed, steps); });
}

template struct Case<float>;
template struct Case<double>;
template std::shared_ptr<const Case<float>> shared_case(int, std::uint64_t, int);
template std::shared_ptr<const Case<double>> shared_case(int, std::uint64_t, int);

}  // namespace gridmark::ginzburg_landau
