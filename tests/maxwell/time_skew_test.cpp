// TimeSkewed slabs: which planes they bring, step and leave, and what a window of them takes.

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "kernels/maxwell/time_skewing.hpp"
#include "tests/maxwell/setups.hpp"
#include "tests/support/counting_device.hpp"

namespace gridmark::maxwell_tests {
namespace {

const GpuVariant<float>& variant(bool by_index = false) {
    return *find_gpu_variant<float>(launch::Executor::host,
                                    by_index ? "gpu_single_pass_indexed" : "gpu_single_pass");
}

CoefficientSize size(bool by_index = false) {
    return usual_coefficients<float>(by_index);
}

/// All kinds of passes through grids of 2 ... 12 planes.
std::vector<TimeSkew> passes() {
    std::vector<TimeSkew> all;
    for (const int nx : {2, 3, 7, 12})
        for (const int depth : {1, 2, 3, 5, 12, 20})
            for (const int steps : {1, 2, 3, 8, 20})
                all.push_back({nx, nx + 1, depth, steps});
    return all;
}

TEST(TimeSkew, EachPlaneComesOnceAndLeavesOnce) {
    for (const TimeSkew& skew : passes()) {
        int came = 0, left = 0;
        for (int s = 0; s < skew.count(); ++s) {
            const Slab in = skew.brought(s), out = skew.finished(s);
            if (in.depth() > 0) {
                EXPECT_EQ(in.first, came);
                came = in.last;
            }
            if (out.depth() > 0) {
                EXPECT_EQ(out.first, left);
                left = out.last;
            }
            EXPECT_LE(left, came);
        }
        EXPECT_EQ(came, skew.nx + 1);
        EXPECT_EQ(left, skew.nx + 1);
        EXPECT_EQ(skew.free_after(skew.count() - 1), skew.nx + 1);
    }
}

TEST(TimeSkew, EveryStepFindsItsNeighboursAtTheSameTime) {
    for (const TimeSkew& skew : passes()) {
        // Steps that a plane has had. Its last two states are there, since fields go to and fro.
        std::vector<int> age(skew.nx, 0);
        int came = 0, launched = 0;
        for (int s = 0; s < skew.count(); ++s) {
            came = std::max(came, skew.brought(s).last);
            for (int k = 0; k < skew.steps; ++k) {
                const Slab planes = skew.stepped(s, k);
                launched += planes.depth() > 0 ? 1 : 0;
                for (int x = planes.first; x < planes.last; ++x) {
                    EXPECT_EQ(age[x], k);
                    EXPECT_LT(x + 1, came);
                }
                // The one in front has taken this step, and its state before it is there still.
                if (planes.depth() > 0 && planes.first > 0) {
                    EXPECT_EQ(age[planes.first - 1], k + 1);
                }
                if (planes.depth() > 0 && planes.last < skew.nx) {
                    EXPECT_EQ(age[planes.last], k);
                }
                for (int x = planes.first; x < planes.last; ++x)
                    age[x] = k + 1;
            }
        }
        EXPECT_EQ(age, std::vector<int>(skew.nx, skew.steps));
        EXPECT_EQ(launched, launches(skew));
    }
}

TEST(TimeSkew, WindowIsAsLargeAsTheBudgetAllows) {
    const Layout layout = make_layout<float>(uniform_grid(90, 6, 7));
    const Layout long_one = make_layout<float>(uniform_grid(1000, 6, 7));
    EXPECT_EQ(time_skew_for<float>(long_one, size(), whole_bytes<float>(long_one, size())).ring,
              roomy_ring(32, 96))
        << "more would gain nothing";
    for (const bool by_index : {false, true}) {
        const std::size_t whole = whole_bytes<float>(layout, size(by_index));
        EXPECT_EQ(time_skew_for<float>(layout, size(by_index), whole).ring, 91);
        EXPECT_EQ(time_skew_for<float>(layout, size(by_index), 2 * whole).ring, 91);
        TimeSkew last = time_skew_for<float>(layout, size(by_index), whole);
        while (last.ring > least_time_skew(layout).ring) {
            const std::size_t needed = device_bytes<float>(layout, size(by_index), last);
            EXPECT_EQ(time_skew_for<float>(layout, size(by_index), needed).ring, last.ring);
            const TimeSkew smaller = time_skew_for<float>(layout, size(by_index), needed - 1);
            EXPECT_EQ(smaller.ring, last.ring - 1);
            EXPECT_LE(roomy_ring(smaller.depth, smaller.steps), std::max(smaller.ring, roomy_ring(1, 2)));
            EXPECT_LE(smaller.depth + smaller.steps + 1, smaller.ring);
            EXPECT_EQ(smaller.steps % 2, 0) << "fields come back into the set that they were sent to";
            last = smaller;
        }
        const std::size_t least = device_bytes<float>(layout, size(by_index), last);
        EXPECT_THROW(time_skew_for<float>(layout, size(by_index), least - 1), std::invalid_argument);
    }
}

TEST(TimeSkew, MovesAndTakesTheBytesThatAreDeclared) {
    const Grid grid = uniform_grid(30, 6, 7);
    const auto coefficients = average<float>(grid, empty_box(grid), 1);
    const Layout& layout = coefficients.layout;
    const double slots = static_cast<double>(layout.size());
    for (const bool by_index : {false, true})
        for (const TimeSkew skew : {TimeSkew{30, 14, 3, 4}, TimeSkew{30, 31, 4, 8}, TimeSkew{30, 14, 3, 3},
                                    TimeSkew{30, 31, 4, 3}}) {
            tests::CountingDevice device;
            const Problem problem{grid, 0.3, both_ways(5)};
            const auto pinned = streamed_coefficients(device, variant(by_index), problem, coefficients, 1);
            const auto solver = time_skewed<float>(device, variant(by_index), problem, *pinned, skew, 1);
            const auto planned = device_bytes<float>(layout, size(by_index), skew);
            EXPECT_LE(device.allocated, planned);
            EXPECT_GE(device.allocated + size(by_index).tables, planned);
            const std::size_t before = device.allocated, sent = device.copies_up,
                              fetched = device.copies_down;
            solver->steps(2 * skew.steps);
            const Traffic declared = traffic<float>(layout, size(by_index), skew);
            // Where the ring of planes ends, one copy becomes two.
            const auto copies_up = static_cast<double>(device.copies_up - sent),
                       copies_down = static_cast<double>(device.copies_down - fetched);
            const double sends = 2 * skew.steps * declared.copies_up,
                         fetches = 2 * skew.steps * declared.copies_down;
            if (skew.ring == skew.nx + 1) {  // a pass ends where the ring does
                EXPECT_DOUBLE_EQ(copies_up, sends);
                EXPECT_DOUBLE_EQ(copies_down, fetches);
            } else {
                EXPECT_GT(copies_up, sends);
                EXPECT_GT(copies_down, fetches);
            }
            EXPECT_DOUBLE_EQ(static_cast<double>(device.up), 2 * skew.steps * declared.uploaded);
            EXPECT_DOUBLE_EQ(static_cast<double>(device.down), 2 * skew.steps * declared.downloaded);
            // E, H and the coefficients up, E and H down, once in a pass; twice up if its steps are odd.
            EXPECT_DOUBLE_EQ(static_cast<double>(device.down), 2 * 24 * slots);
            EXPECT_DOUBLE_EQ(static_cast<double>(device.up),
                             2 * ((skew.steps % 2 == 1 ? 48 : 24) + (by_index ? 1 : 36)) * slots);
            EXPECT_EQ(device.allocated, before);  // a step takes no memory
        }
}

}  // namespace
}  // namespace gridmark::maxwell_tests
