#pragma once

#include <algorithm>
#include <functional>
#include <limits>
#include <vector>

#include "kernels/ranks/cut.hpp"
#include "kernels/ranks/part.hpp"
#include "kernels/ranks/stepping.hpp"
#include "kernels/ranks/transport.hpp"

/// What the tests of all studies' parts share.
namespace gridmark::tests {

/// What a rank does; at the end it hands its part over.
template <class T>
using RankBody =
    std::function<void(ranks::Transport&, const std::function<void(ranks::Part<T>&)>& hand_over)>;

/// So many steps in calls of one, of two and of the rest: short blocks come before full ones, and what a call
/// leaves in the ghosts the next may not use.
template <class T>
void step_in_calls(ranks::Stepping<T>& stepping, int steps) {
    for (const int count : {std::min(steps, 1), std::clamp(steps - 1, 0, 2), std::max(steps - 3, 0)})
        stepping.steps(count);
}

/// Runs ranks on threads, and puts what they own of each component together: one component behind the other,
/// in C order with axis 0 fastest. What nobody owns is NaN.
template <class T>
std::vector<T> gathered(const ranks::Cut& cut, ranks::Arrival arrival, int components,
                        const RankBody<T>& rank) {
    const ranks::Box& grid = cut.grid();
    std::vector<T> whole(components * grid.points(), std::numeric_limits<T>::quiet_NaN());
    ranks::run_in_process(cut.ranks(), arrival, 7, [&](ranks::Transport& transport) {
        const ranks::Box own = cut.own(transport.rank());
        rank(transport, [&](ranks::Part<T>& part) {
            std::vector<T> values(own.points());
            for (int c = 0; c < components; ++c) {
                part.read(c, own, values.data());
                const T* from = values.data();
                for (int z = own.low[2]; z < own.high[2]; ++z)
                    for (int y = own.low[1]; y < own.high[1]; ++y, from += own.size(0)) {
                        const std::size_t line =
                            (static_cast<std::size_t>(c) * grid.size(2) + z - grid.low[2]) * grid.size(1) +
                            y - grid.low[1];
                        std::copy_n(from, own.size(0),
                                    whole.data() + line * grid.size(0) + own.low[0] - grid.low[0]);
                    }
            }
        });
    });
    return whole;
}

}  // namespace gridmark::tests
