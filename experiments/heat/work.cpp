#include "experiments/heat/work.hpp"

#include <algorithm>

#include "harness/peers/peer_work.hpp"

namespace gridmark::heat {

template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const Kernel& kernel, Size size,
                                        std::uint64_t seed) {
    const auto on_device = shared_device_case<T>(device, size, seed);
    return std::make_unique<harness::StepperWork<T>>(
        on_device->host, on_device,
        gpu_stepper<T>(device, on_device->host->problem, kernel, on_device->fields()));
}

template <class T>
std::unique_ptr<harness::Work> cpu_work(const CpuVariant& variant, Size size, const Cut& cut, int threads,
                                        std::uint64_t seed) {
    const auto host = shared_case<T>(size, seed);
    return std::make_unique<harness::StepperWork<T>>(
        host, host, cpu_stepper<T>(host->problem, variant, cut, threads, host->beta.data()));
}

template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed) {
    const auto c = shared_case<T>(n, seed);
    const auto k = coefficients<double>(c->problem);
    const std::size_t side = static_cast<std::size_t>(n);
    const std::vector<std::size_t> shape{side, side, side};
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {
        {"dt_12", k.dt_12}, {"inverse_dx2", k.inverse_dx2}, {"boundary", c->problem.boundary}};
    std::ranges::copy(c->beta, problem->arrays.add<T>("beta", shape).begin());
    return harness::peer_work<T>(peer, std::move(problem), shape, c);
}

#define GRIDMARK_INSTANTIATE(T)                                                                   \
    template std::unique_ptr<harness::Work> gpu_work<T>(launch::Device&, const Kernel&, Size,     \
                                                        std::uint64_t);                           \
    template std::unique_ptr<harness::Work> cpu_work<T>(const CpuVariant&, Size, const Cut&, int, \
                                                        std::uint64_t);                           \
    template std::unique_ptr<harness::Work> peer_work<T>(const harness::Peer&, int, std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat
