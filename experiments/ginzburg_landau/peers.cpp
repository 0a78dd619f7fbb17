#include "experiments/ginzburg_landau/peers.hpp"

#include "experiments/ginzburg_landau/case.hpp"
#include "harness/peers/peer_work.hpp"

namespace gridmark::ginzburg_landau {

template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed) {
    const auto c = shared_case<T>(n, seed, verified_steps(1));
    const auto k = coefficients<double>(c->problem);
    const std::vector<std::size_t> shape{2, static_cast<std::size_t>(n)};
    auto problem = std::make_unique<harness::PeerProblem>();
    problem->numbers = {{"dt", c->problem.dt}, {"d", k.d}, {"da", k.da}, {"b", k.b}};
    return harness::peer_work<T>(peer, std::move(problem), shape, c);
}

template std::unique_ptr<harness::Work> peer_work<float>(const harness::Peer&, int, std::uint64_t);
template std::unique_ptr<harness::Work> peer_work<double>(const harness::Peer&, int, std::uint64_t);

}  // namespace gridmark::ginzburg_landau
