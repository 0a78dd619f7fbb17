#pragma once

#include <gtest/gtest.h>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/launch/device.hpp"
#include "kernels/ranks/stepping.hpp"
#include "kernels/ranks/transport.hpp"

/// What the tests of all studies' parts share: a grid cut in many ways gives one answer.
namespace gridmark::tests {

/// How a grid is cut and stepped.
struct Decomposition {
    ranks::Triple parts;
    int steps_per_exchange, steps;
    ranks::Arrival arrival;

    int ranks() const { return parts[0] * parts[1] * parts[2]; }
    std::string text() const {
        return std::to_string(parts[0]) + "x" + std::to_string(parts[1]) + "x" + std::to_string(parts[2]) +
               ", exchange every " + std::to_string(steps_per_exchange) + ", " + std::to_string(steps) +
               " steps, arrival " + std::to_string(static_cast<int>(arrival));
    }
};

/// Makes the part that stores a box; `device` null: on the CPU.
template <class T>
using MakePart = std::function<std::unique_ptr<ranks::Part<T>>(launch::Device* device, const ranks::Box& own,
                                                               int steps_per_exchange)>;

/// All components one behind the other, each in C order with axis 0 fastest, after the steps. `on_host`: by
/// the kernels on the host executor.
template <class T>
std::vector<T> answer_of(const ranks::Box& grid, const Decomposition& d, int components, bool on_host,
                         const MakePart<T>& make) {
    std::vector<T> whole(components * grid.points());
    ranks::run_in_process(d.ranks(), d.arrival, 7, [&](ranks::Transport& transport) {
        const auto device = on_host ? launch::host_device() : nullptr;
        const ranks::Cut cut(grid, d.parts);
        const ranks::Box own = cut.own(transport.rank());
        const auto part = make(device.get(), own, d.steps_per_exchange);
        part->start();
        ranks::Stepping<T> stepping(transport, cut, *part, d.steps_per_exchange);
        // In two calls: what one leaves in the ghosts the next may not use.
        stepping.steps(d.steps / 2);
        stepping.steps(d.steps - d.steps / 2);
        for (int c = 0; c < components; ++c) {
            std::vector<T> values(own.points());
            part->read(c, own, values.data());
            const T* from = values.data();
            for (int z = own.low[2]; z < own.high[2]; ++z)
                for (int y = own.low[1]; y < own.high[1]; ++y, from += own.size(0)) {
                    const std::size_t line =
                        (static_cast<std::size_t>(c) * grid.size(2) + z - grid.low[2]) * grid.size(1) + y -
                        grid.low[1];
                    std::copy_n(from, own.size(0),
                                whole.data() + line * grid.size(0) + own.low[0] - grid.low[0]);
                }
        }
    });
    return whole;
}

/// Equal bit by bit; NaN is not.
template <class T>
void expect_same_bits(const std::vector<T>& answer, const std::vector<T>& wanted, const std::string& what) {
    ASSERT_EQ(answer.size(), wanted.size()) << what;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
        ASSERT_TRUE(answer[k] == wanted[k])
            << what << ": value " << k << " is " << answer[k] << ", not " << wanted[k];
    }
}

}  // namespace gridmark::tests
