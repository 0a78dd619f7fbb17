#include "experiments/maxwell/peers.hpp"

#include <algorithm>
#include <string>

#include "experiments/maxwell/case.hpp"
#include "harness/peers/peer_work.hpp"
#include "kernels/maxwell/host_solver.hpp"

namespace gridmark::maxwell {
namespace {

/// The arrays of a case as a peer gets them: tight, [component][nx + 1][ny + 1][nz + 1].
template <class T>
void add_arrays(const Case<T>& c, harness::SharedArrays& arrays) {
    const Layout& layout = c.coefficients.layout;
    const std::size_t side = static_cast<std::size_t>(c.size.nx) + 1, plane = side * side;
    const auto add = [&](const char* name, std::size_t count, const auto& fill) {
        const std::span<T> values = arrays.add<T>(name, {count, side, side, side});
        for (std::size_t k = 0; k < count * side; ++k)
            fill(static_cast<int>(k / side), static_cast<int>(k % side), values.subspan(k * plane, plane));
    };
    add("start", components,
        [&](int component, int x, std::span<T> to) { start_plane<T>(c, component, x, to); });
    for (const auto& [name, three] : {std::pair{"eps", &c.coefficients.eps},
                                      {"sigma", &c.coefficients.sigma},
                                      {"mu", &c.coefficients.mu}})
        add(name, 3, [&, three = three](int component, int x, std::span<T> to) {
            load_plane(layout, (*three)[component].data() + layout.plane() * x, to.data());
        });
    for (int axis = 0; axis < 3; ++axis) {
        const auto inverse = inverse_spacings<T>(c.problem.grid.nodes[axis]);
        const auto line = [&](const std::string& name, const std::vector<T>& values) {
            std::ranges::copy(values, arrays.add<T>(name + "_" + "xyz" [axis], { values.size() }).begin());
        };
        line("half", inverse.half);
        line("node", inverse.node);
    }
}

}  // namespace

template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed) {
    const auto c = shared_case<T>(n, seed);
    const Drive d = start(c->problem.source, c->problem.dct, 1 / half_distance(c->problem.grid.nodes[2], 0));
    auto problem = std::make_unique<harness::PeerProblem>();
    const Drive::Direction& along = d.along[0];  // but for the amplitude the other direction is the same
    problem->numbers = {{"dct", c->problem.dct},
                        {"scale", d.scale},
                        {"amplitude_0", along.amplitude},
                        {"amplitude_1", d.along[1].amplitude},
                        {"sine", along.sine},
                        {"cosine", along.cosine},
                        {"turn_sine", along.turn_sine},
                        {"turn_cosine", along.turn_cosine}};
    add_arrays<T>(*c, problem->arrays);
    const std::size_t side = static_cast<std::size_t>(n) + 1, plane = side * side;
    const auto compare_answer = [c, side, plane](std::span<const T> answer) {
        return compare<T>(*c, [&](int component, int x, T* to) {
            std::ranges::copy(answer.subspan((component * side + x) * plane, plane), to);
        });
    };
    return harness::peer_work<T>(peer, std::move(problem),
                                 {c->steps, {components, side, side, side}, compare_answer});
}

template std::unique_ptr<harness::Work> peer_work<float>(const harness::Peer&, int, std::uint64_t);
template std::unique_ptr<harness::Work> peer_work<double>(const harness::Peer&, int, std::uint64_t);

}  // namespace gridmark::maxwell
