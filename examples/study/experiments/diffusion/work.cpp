#include "experiments/diffusion/work.hpp"
#include "experiments/diffusion/stepper.hpp"
#include "kernels/diffusion/reference.hpp"
#include "kernels/diffusion/start.hpp"

#include "harness/cache.hpp"

namespace gridmark::diffusion {
namespace {

/// A random start and what the reference makes of it; every variant of that size is verified with it.
template <class T>
struct Case : harness::StepCase<T> {
    Problem problem;
    std::uint64_t seed;

    Case(int n, std::uint64_t seed) : problem(rod(n)), seed(seed) {
        this->steps = 3;
        this->start = random_start<T>(problem, seed);
        this->reference = reference_solve(problem, {this->start.begin(), this->start.end()}, this->steps);
        this->tolerance = rounding_bound<T>(problem, this->steps, 1);
    }
};

template <class T>
std::shared_ptr<const Case<T>> shared_case(int n, std::uint64_t seed) {
    static harness::Cache<Case<T>> cases;
    return cases.get([&](const Case<T>& c) { return c.problem.n == n && c.seed == seed; },
                     static_cast<double>(n) * (sizeof(T) + sizeof(double)),
                     [&] { return std::make_shared<const Case<T>>(n, seed); });
}

}  // namespace

template <class T>
std::unique_ptr<harness::Work> work(launch::Device* device, int n, int threads, std::uint64_t seed) {
    const auto shared = shared_case<T>(n, seed);
    return std::make_unique<harness::StepperWork<T>>(shared, nullptr,
                                                     stepper<T>(device, shared->problem, threads));
}

template std::unique_ptr<harness::Work> work<float>(launch::Device*, int, int, std::uint64_t);
template std::unique_ptr<harness::Work> work<double>(launch::Device*, int, int, std::uint64_t);

}  // namespace gridmark::diffusion
