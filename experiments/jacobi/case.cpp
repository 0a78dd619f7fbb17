#include "experiments/jacobi/case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "harness/cache.hpp"
#include "kernels/jacobi/problem.hpp"
#include "kernels/precision.hpp"

namespace gridmark::jacobi {

template <class T>
Case<T>::Case(int nx, int ny, std::uint64_t seed, int sweeps)
    : problem(channel(nx, ny)),
      seed(seed),
      steps(sweeps),
      start(initial_psi<T>(problem, seed)),
      omega(random_omega<T>(problem, seed)),
      target(start.size()) {
#pragma omp parallel for
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i) {
            const std::size_t k = i + static_cast<std::size_t>(j) * nx;
            target[k] = kind(problem, i, j) == Kind::fixed ? start[k] : std::numeric_limits<T>::quiet_NaN();
        }
    const auto psi = in_double<T>(start), source = in_double<T>(omega);
    reference = reference_solve(problem, psi, source, sweeps);
    double psi_max = 0;
#pragma omp parallel for reduction(max : psi_max)
    for (std::size_t k = 0; k < psi.size(); ++k)
        psi_max = std::max(psi_max, std::abs(psi[k]));
    tolerance = rounding_bound<T>(sweeps, psi_max, std::abs(coefficients<double>(problem).c));
}

template <class T>
std::shared_ptr<const Case<T>> shared_case(int nx, int ny, std::uint64_t seed, int sweeps) {
    static harness::Cache<Case<T>> cases;
    const double bytes = static_cast<double>(nx) * ny * (3 * sizeof(T) + sizeof(double));
    return cases.get(
        [&](const Case<T>& c) {
            return c.problem.nx == nx && c.problem.ny == ny && c.seed == seed && c.steps == sweeps;
        },
        bytes, [&] { return std::make_shared<const Case<T>>(nx, ny, seed, sweeps); });
}

template <class T>
std::shared_ptr<const DeviceCase<T>> shared_device_case(launch::Device& device, int nx, int ny,
                                                        std::uint64_t seed, int sweeps) {
    // Never destroyed: when the program ends the device may be gone, and the memory with it.
    static auto& cases = *new harness::Cache<DeviceCase<T>>(2);
    const auto host = shared_case<T>(nx, ny, seed, sweeps);
    return cases.get([&](const DeviceCase<T>& c) { return c.host == host; }, 0,
                     [&] {
                         return std::make_shared<const DeviceCase<T>>(
                             DeviceCase<T>{host, launch::Buffer<T>(device, std::span<const T>(host->omega))});
                     });
}

#define GRIDMARK_INSTANTIATE(T)                                                                    \
    template struct Case<T>;                                                                       \
    template std::shared_ptr<const Case<T>> shared_case<T>(int, int, std::uint64_t, int);          \
    template std::shared_ptr<const DeviceCase<T>> shared_device_case<T>(launch::Device&, int, int, \
                                                                        std::uint64_t, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::jacobi
