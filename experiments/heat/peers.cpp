#include "experiments/heat/peers.hpp"

#include <algorithm>

#include "experiments/heat/case.hpp"
#include "harness/peers/peer_work.hpp"

namespace gridmark::heat {

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

template std::unique_ptr<harness::Work> peer_work<float>(const harness::Peer&, int, std::uint64_t);
template std::unique_ptr<harness::Work> peer_work<double>(const harness::Peer&, int, std::uint64_t);

}  // namespace gridmark::heat
