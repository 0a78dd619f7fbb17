#include "experiments/jacobi/case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/jacobi/reference.hpp"

namespace gridmark::jacobi {

template <class T>
Case<T>::Case(int nx, int ny, std::uint64_t seed)
    : problem(channel(nx, ny)),
      psi0(initial_psi<T>(problem, seed)),
      omega(random_omega<T>(problem, seed)),
      poisoned(psi0) {
    for (int j = 0; j < ny; ++j)
        for (int i = 0; i < nx; ++i)
            if (kind(problem, i, j) != Kind::fixed)
                poisoned[i + static_cast<std::size_t>(j) * nx] = std::numeric_limits<T>::quiet_NaN();
    const std::vector<double> start(psi0.begin(), psi0.end()), source(omega.begin(), omega.end());
    reference = reference_solve(problem, start, source, verified_sweeps);
    const double psi_max = std::abs(*std::max_element(
        start.begin(), start.end(), [](double a, double b) { return std::abs(a) < std::abs(b); }));
    tolerance = rounding_bound<T>(verified_sweeps, psi_max, std::abs(coefficients<double>(problem).c));
}

template <class T>
harness::Verification Case<T>::compare(const std::vector<T>& psi) const {
    double error = 0;
    bool finite = true;
    const auto n = static_cast<std::ptrdiff_t>(psi.size());
#pragma omp parallel for reduction(max : error) reduction(&& : finite)
    for (std::ptrdiff_t k = 0; k < n; ++k) {
        const double distance = std::abs(static_cast<double>(psi[k]) - reference[k]);
        finite = finite && std::isfinite(distance);
        error = std::max(error, distance);
    }
    return {"serial reference in double, whole field", finite ? error : std::numeric_limits<double>::max(),
            tolerance, verified_sweeps};
}

template <class T>
std::shared_ptr<const Case<T>> shared_case(int nx, int ny, std::uint64_t seed) {
    static std::shared_ptr<const Case<T>> last;
    static std::uint64_t last_seed;
    if (!last || last->problem.nx != nx || last->problem.ny != ny || last_seed != seed) {
        last.reset();
        last = std::make_shared<const Case<T>>(nx, ny, seed);
        last_seed = seed;
    }
    return last;
}

template <class T>
std::shared_ptr<const DeviceCase<T>> shared_device_case(launch::Device& device, int nx, int ny,
                                                        std::uint64_t seed) {
    static std::shared_ptr<const DeviceCase<T>> last;
    const auto host = shared_case<T>(nx, ny, seed);
    if (!last || last->host != host) {
        last.reset();
        last = std::make_shared<const DeviceCase<T>>(
            DeviceCase<T>{host, launch::Buffer<T>(device, std::span<const T>(host->psi0)),
                          launch::Buffer<T>(device, std::span<const T>(host->omega)),
                          launch::Buffer<T>(device, std::span<const T>(host->poisoned))});
    }
    return last;
}

#define GRIDMARK_INSTANTIATE(T)                                                                    \
    template struct Case<T>;                                                                       \
    template std::shared_ptr<const Case<T>> shared_case<T>(int, int, std::uint64_t);               \
    template std::shared_ptr<const DeviceCase<T>> shared_device_case<T>(launch::Device&, int, int, \
                                                                        std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::jacobi
