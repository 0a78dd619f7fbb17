#include "experiments/ginzburg_landau/work.hpp"

#include "experiments/ginzburg_landau/case.hpp"
#include "harness/peers/peer_work.hpp"

namespace gridmark::ginzburg_landau {

template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const std::string& variant, int n, int block,
                                        std::uint64_t seed) {
    const int most = find_gpu_variant<T>(device.executor(), variant)->steps_per_launch.most;
    const auto host = shared_case<T>(n, seed, verified_steps(most));
    return std::make_unique<harness::StepperWork<T>>(host, host,
                                                     gpu_stepper<T>(device, host->problem, variant, block));
}

template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, int n, int threads, std::uint64_t seed) {
    const auto host = shared_case<T>(n, seed, verified_steps(1));
    return std::make_unique<harness::StepperWork<T>>(host, host,
                                                     cpu_stepper<T>(host->problem, variant, threads));
}

template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed) {
    const auto c = shared_case<T>(n, seed, verified_steps(1));
    const auto k = coefficients<double>(c->problem);
    const std::vector<std::size_t> shape{2, static_cast<std::size_t>(n)};
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {{"dt", c->problem.dt}, {"d", k.d}, {"da", k.da}, {"b", k.b}};
    return harness::peer_work<T>(peer, std::move(problem), shape, c);
}

#define GRIDMARK_INSTANTIATE(T)                                                                        \
    template std::unique_ptr<harness::Work> gpu_work<T>(launch::Device&, const std::string&, int, int, \
                                                        std::uint64_t);                                \
    template std::unique_ptr<harness::Work> cpu_work<T>(const std::string&, int, int, std::uint64_t);  \
    template std::unique_ptr<harness::Work> peer_work<T>(const harness::Peer&, int, std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::ginzburg_landau
