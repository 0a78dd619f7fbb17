#include "experiments/jacobi/peers.hpp"

#include <algorithm>

#include "experiments/jacobi/case.hpp"
#include "harness/peers/peer_work.hpp"
#include "harness/whole_field.hpp"

namespace gridmark::jacobi {

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

template std::unique_ptr<harness::Work> peer_work<float>(const harness::Peer&, int, int, std::uint64_t);
template std::unique_ptr<harness::Work> peer_work<double>(const harness::Peer&, int, int, std::uint64_t);

}  // namespace gridmark::jacobi
