#include "experiments/jacobi/work.hpp"

#include <algorithm>

#include "experiments/jacobi/case.hpp"
#include "experiments/jacobi/stepper.hpp"
#include "harness/peers/peer_work.hpp"
#include "harness/whole_field.hpp"

namespace gridmark::jacobi {

template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const std::string& variant, int nx, int ny,
                                        const Tiling& tiling, launch::Carveout carveout, std::uint64_t seed) {
    const int most = find_gpu_variant<T>(device.executor(), variant)->steps_per_launch.most;
    const auto on_device = shared_device_case<T>(device, nx, ny, seed, verified_sweeps(most));
    return std::make_unique<harness::StepperWork<T, Case<T>>>(
        on_device->host, on_device,
        gpu_stepper<T>(device, on_device->host->problem, variant, tiling, carveout, on_device->omega.data()));
}

template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, int nx, int ny, int threads,
                                        std::uint64_t seed) {
    const auto host = shared_case<T>(nx, ny, seed, verified_sweeps(1));
    return std::make_unique<harness::StepperWork<T, Case<T>>>(
        host, host, cpu_stepper<T>(host->problem, variant, threads, host->omega));
}

template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int nx, int ny, std::uint64_t seed) {
    const auto c = shared_case<T>(nx, ny, seed, verified_sweeps(1));
    const auto k = coefficients<double>(c->problem);
    const Body& body = c->problem.body;
    const std::vector<std::size_t> shape{static_cast<std::size_t>(ny), static_cast<std::size_t>(nx)};
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {{"a", k.a},      {"b", k.b},      {"c", k.c},     {"x1", body.x1},
                        {"y1", body.y1}, {"x2", body.x2}, {"y2", body.y2}};
    std::ranges::copy(c->start, problem->arrays.add<T>("start", shape).begin());
    std::ranges::copy(c->omega, problem->arrays.add<T>("omega", shape).begin());
    return harness::peer_work<T>(peer, std::move(problem), {c->steps, shape, [c](std::span<const T> answer) {
                                                                return harness::compare_whole_field<T>(
                                                                    answer, c->reference, c->tolerance,
                                                                    c->steps);
                                                            }});
}

#define GRIDMARK_INSTANTIATE(T)                                                                            \
    template std::unique_ptr<harness::Work> gpu_work<T>(launch::Device&, const std::string&, int, int,     \
                                                        const Tiling&, launch::Carveout, std::uint64_t);   \
    template std::unique_ptr<harness::Work> cpu_work<T>(const std::string&, int, int, int, std::uint64_t); \
    template std::unique_ptr<harness::Work> peer_work<T>(const harness::Peer&, int, int, std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::jacobi
