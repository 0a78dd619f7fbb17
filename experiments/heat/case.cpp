#include "experiments/heat/case.hpp"

#include "kernels/heat/reference.hpp"
#include "kernels/heat/start.hpp"
#include "kernels/precision.hpp"

namespace gridmark::heat {

template <class T>
Case<T>::Case(Size size, std::uint64_t seed) : problem(tissue(size.nx, size.ny, size.nz)) {
    auto [t0, random_beta] = random_start<T>(problem, seed, random_ratio);
    this->steps = 5;  // two and three at once, and single ones
    this->start = std::move(t0);
    this->tolerance = rounding_bound<T>(this->steps, hottest, random_ratio);
    beta = std::move(random_beta);
    this->reference = reference_solve(problem, in_double<T>(this->start), in_double<T>(beta), this->steps);
}

template struct Case<float>;
template struct Case<double>;

}  // namespace gridmark::heat
