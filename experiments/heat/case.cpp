#include "experiments/heat/case.hpp"

#include <utility>

#include "harness/cache.hpp"
#include "kernels/heat/reference.hpp"
#include "kernels/heat/start.hpp"
#include "kernels/precision.hpp"

namespace gridmark::heat {

template <class T>
Case<T>::Case(Size size, std::uint64_t seed) : problem(tissue(size.nx, size.ny, size.nz)), seed(seed) {
    auto [t0, random_beta] = random_start<T>(problem, seed, random_ratio);
    this->steps = 5;  // two and three at once, and single ones
    this->start = std::move(t0);
    this->tolerance = rounding_bound<T>(this->steps, hottest, random_ratio);
    beta = std::move(random_beta);
    this->reference = reference_solve(problem, in_double<T>(this->start), in_double<T>(beta), this->steps);
}

template <class T>
std::shared_ptr<const Case<T>> shared_case(Size size, std::uint64_t seed) {
    static harness::Cache<Case<T>> cases;
    const double bytes = size.points() * (2 * sizeof(T) + sizeof(double));
    return cases.get(
        [&](const Case<T>& c) {
            const Problem& p = c.problem;
            return p.nx == size.nx && p.ny == size.ny && p.nz == size.nz && c.seed == seed;
        },
        bytes, [&] { return std::make_shared<const Case<T>>(size, seed); });
}

template <class T>
DeviceCase<T>::DeviceCase(launch::Device& device, std::shared_ptr<const Case<T>> host)
    : host(std::move(host)),
      beta(device, this->host->beta),
      texture(device, beta, this->host->problem.nx, this->host->problem.ny, this->host->problem.nz) {}

template <class T>
std::shared_ptr<const DeviceCase<T>> shared_device_case(launch::Device& device, Size size,
                                                        std::uint64_t seed) {
    // Never destroyed: when the program ends the device may be gone, and the memory with it.
    static auto& cases = *new harness::Cache<DeviceCase<T>>(2);
    const auto host = shared_case<T>(size, seed);
    return cases.get([&](const DeviceCase<T>& c) { return c.host == host; }, 0,
                     [&] { return std::make_shared<const DeviceCase<T>>(device, host); });
}

#define GRIDMARK_INSTANTIATE(T)                                                  \
    template struct Case<T>;                                                     \
    template std::shared_ptr<const Case<T>> shared_case<T>(Size, std::uint64_t); \
    template struct DeviceCase<T>;                                               \
    template std::shared_ptr<const DeviceCase<T>> shared_device_case<T>(launch::Device&, Size, std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat
