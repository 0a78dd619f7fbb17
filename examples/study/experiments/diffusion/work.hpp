#pragma once

#include "experiments/diffusion/stepper.hpp"
#include "kernels/diffusion/reference.hpp"
#include "kernels/diffusion/start.hpp"

#include "harness/cache.hpp"

namespace gridmark::diffusion {

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

/// What `run` verifies and times on n points: gpu_plain on a device; where that is null, cpu_openmp with
/// `threads` threads. T is float or double.
template <class T>
std::unique_ptr<harness::Work> work(launch::Device* device, int n, int threads, std::uint64_t seed) {
    const auto shared = shared_case<T>(n, seed);
    return std::make_unique<harness::StepperWork<T>>(shared, nullptr,
                                                     stepper<T>(device, shared->problem, threads));
}

}  // namespace gridmark::diffusion
