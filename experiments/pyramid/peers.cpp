#include "experiments/pyramid/peers.hpp"

#include <algorithm>

#include "experiments/pyramid/case.hpp"
#include "harness/peers/peer_work.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/thomas.hpp"

namespace gridmark::pyramid {

template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, std::size_t n, double s,
                                         std::uint64_t seed) {
    constexpr int steps = 3;
    const auto c = shared_case<T>(n, seed);
    // General solvers, as cuSPARSE's is: they may round as it does.
    const double tolerance =
        find_gpu_variant<T>(launch::Executor::host, "gpu_cusparse")->rounding * rounding_bound<T>(s, steps);
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {{"s", s}};
    std::ranges::copy(c->start, problem->arrays.add<T>("start", {n}).begin());
    return harness::peer_work<T>(
        peer, std::move(problem),
        {steps, {n}, [c, s, tolerance](std::span<const T> answer) {
             return compare_steps<T>(*c, answer, s, steps, {c->n, c->n, 0}, tolerance);
         }});
}

template std::unique_ptr<harness::Work> peer_work<float>(const harness::Peer&, std::size_t, double,
                                                         std::uint64_t);
template std::unique_ptr<harness::Work> peer_work<double>(const harness::Peer&, std::size_t, double,
                                                          std::uint64_t);

}  // namespace gridmark::pyramid
