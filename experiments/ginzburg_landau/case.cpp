#include "experiments/ginzburg_landau/case.hpp"

#include "harness/kept.hpp"
#include "kernels/ginzburg_landau/reference.hpp"
#include "kernels/ginzburg_landau/start.hpp"

namespace gridmark::ginzburg_landau {

template <class T>
Case<T>::Case(int n, std::uint64_t seed) : problem(medium(n)), seed(seed) {
    this->steps = 3;
    this->start = random_state<T>(problem, seed, 0.5);
    double largest = 0;
    this->reference = reference_solve<double>(
        problem, std::vector<double>(this->start.begin(), this->start.end()), this->steps, &largest);
    this->tolerance = rounding_bound<T>(problem, this->steps, largest);
}

template <class T>
std::shared_ptr<const Case<T>> shared_case(int n, std::uint64_t seed) {
    static harness::Kept<Case<T>> cases;
    const double bytes = 2.0 * n * (sizeof(T) + sizeof(double));
    return cases.get([&](const Case<T>& c) { return c.problem.n == n && c.seed == seed; }, bytes,
                     [&] { return std::make_shared<const Case<T>>(n, seed); });
}

template struct Case<float>;
template struct Case<double>;
template std::shared_ptr<const Case<float>> shared_case(int, std::uint64_t);
template std::shared_ptr<const Case<double>> shared_case(int, std::uint64_t);

}  // namespace gridmark::ginzburg_landau
