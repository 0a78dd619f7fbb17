// The grid cut among one to eight ranks: what they have together after some steps is what the whole grid's
// versions have, to the last bit. Ranks are threads, and what they send lies beside them as NaN until it
// arrives.

#include <gtest/gtest.h>

#include <optional>
#include <tuple>

#include "kernels/launch/make_device.hpp"
#include "kernels/maxwell/cpu.hpp"
#include "kernels/maxwell/ranks.hpp"
#include "kernels/ranks/stepping.hpp"
#include "tests/maxwell/setups.hpp"
#include "tests/ranks/gathered.hpp"

namespace gridmark::maxwell_tests {
namespace {

using ranks::Arrival;
using ranks::Triple;

/// Where ranks compute.
enum class Where { cpu, host_executor, gpu };

/// A run of ranks: parts along z, y and x, and how they exchange.
struct Ranks {
    Triple parts;
    int steps_per_exchange;
    Arrival arrival = Arrival::early;
    Where where = Where::cpu;
    int threads = 1;
    int starts = 1;  ///< how often all begins anew
};

void PrintTo(const Ranks& run, std::ostream* to) {
    *to << run.parts[0] << " x " << run.parts[1] << " x " << run.parts[2] << " ranks along z, y, x, "
        << run.steps_per_exchange << " steps per exchange, arrival " << static_cast<int>(run.arrival)
        << ", where " << static_cast<int>(run.where);
}

/// A problem, and what the whole grid's version makes of it in some calls of so many steps each.
template <class T>
struct Whole {
    Grid grid;
    Body body;
    Problem problem;
    std::vector<int> steps;
    bool starts_random;
    std::vector<T> answer;

    Whole(const Grid& grid, const Body& body, const std::vector<int>& steps, bool starts_random = true,
          double duration = 0)
        : grid(grid),
          body(body),
          problem{grid, 0.9 * stable_dct(grid, body), both_ways(9)},
          steps(steps),
          starts_random(starts_random) {
        for (Oscillation& along : problem.source.along)
            along.duration = duration;
        const auto coefficients = average<T>(grid, body, 2);
        Reference<T> reference(problem, coefficients);
        answer = stepped(reference);
        const auto openmp = cpu_openmp<T>(problem, coefficients, 2);
        EXPECT_EQ(differences(stepped(*openmp), answer), 0U);
    }

    /// The place of a value among all_values().
    std::size_t place(int component, int x, int y, int z) const {
        return (std::size_t(component) * (grid.n(0) + 1) + x) * plane_values(grid) +
               std::size_t(y) * (grid.n(2) + 1) + z;
    }
    /// What set_random sets.
    StartValue start() const {
        if (!starts_random) return nullptr;
        return [this](int component, int x, int y, int z) {
            return 2 * unit_random(5, place(component, x, y, z)) - 1;
        };
    }
    /// What the ranks have, each of its own indices.
    std::vector<T> gathered(const Ranks& run) const {
        const ranks::Cut cut(grid_box(grid), run.parts);
        return tests::gathered<T>(
            cut, run.arrival, components, [&](ranks::Transport& transport, const auto& hand_over) {
                const auto device = run.where == Where::cpu             ? nullptr
                                    : run.where == Where::host_executor ? launch::host_device()
                                                                        : launch::gpu_device();
                const ranks::Box stored = ranks::Stepping<T>::stored_box(cut, transport.rank(), step_reach(),
                                                                         run.steps_per_exchange);
                const auto part = device == nullptr ? cpu_part<T>(problem, body, stored, run.threads, start())
                                                    : gpu_part<T>(*device, problem, body, stored, start());
                ranks::Stepping<T> stepping(transport, cut, *part, run.steps_per_exchange);
                for (int start = 0; start < run.starts; ++start) {
                    part->start();
                    for (const int count : steps)
                        stepping.steps(count);
                }
                hand_over(*part);
            });
    }
    void expect(const Ranks& run) const {
        EXPECT_EQ(differences(gathered(run), answer), 0U) << testing::PrintToString(run);
    }

  private:
    std::vector<T> stepped(Solver<T>& solver) const {
        if (starts_random) set_random(solver, grid, 5);
        for (const int count : steps)
            solver.steps(count);
        return all_values(solver, grid);
    }
};

constexpr Arrival arrivals[] = {Arrival::early, Arrival::late, Arrival::by_chance};

/// Of run k, so that each comes with each of three other choices in turn.
constexpr Arrival arrival_of(int k) {
    return arrivals[k % 4 % 3];
}

template <class T>
class MaxwellRanks : public testing::Test {
  protected:
    /// Stretched, with materials that change from cell to cell, so across every seam. Its 13 x 7 x 11 indices
    /// along z, y and x are divided by no cut below.
    static const Whole<T>& uneven() {
        static const Whole<T> whole = [] {
            const Grid grid = uneven_grid(10, 6, 12);
            return Whole<T>(grid, random_body(grid, 11), {2, 1, 5});
        }();
        return whole;
    }
    /// Of eight index planes along x.
    static const Whole<T>& thin() {
        static const Whole<T> whole = [] {
            const Grid grid = uneven_grid(7, 3, 5);
            return Whole<T>(grid, random_body(grid, 4), {7});
        }();
        return whole;
    }
};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(MaxwellRanks, Precisions);

TYPED_TEST(MaxwellRanks, OnTheCpuGiveTheReferencesBits) {
    int k = 0;
    for (const Triple& parts : {Triple{1, 1, 1},
                                {2, 1, 1},
                                {1, 3, 1},
                                {1, 1, 5},
                                {4, 2, 1},
                                {1, 2, 3},
                                {3, 1, 2},
                                {2, 2, 2},
                                {1, 6, 1}})
        for (const int steps_per_exchange : {1, 2, 3})
            this->uneven().expect({parts, steps_per_exchange, arrival_of(k++)});
}

TYPED_TEST(MaxwellRanks, OnTheHostExecutorGiveTheReferencesBits) {
    int k = 0;
    for (const Triple& parts : {Triple{1, 1, 1}, {3, 1, 1}, {1, 2, 2}, {2, 2, 2}})
        for (const int steps_per_exchange : {1, 2, 3})
            this->uneven().expect({parts, steps_per_exchange, arrival_of(k++), Where::host_executor});
}

TYPED_TEST(MaxwellRanks, OnAGpuGiveTheReferencesBits) {
    if (const auto reason = launch::gpu_unavailable_reason()) GTEST_SKIP() << *reason;
    for (const Triple& parts : {Triple{1, 1, 1}, {3, 1, 1}, {1, 2, 2}, {2, 2, 2}})
        for (const int steps_per_exchange : {1, 2, 3})
            for (const Arrival arrival : arrivals) {
                this->uneven().expect({parts, steps_per_exchange, arrival, Where::gpu});
                this->thin().expect({{1, 1, 8}, steps_per_exchange, arrival, Where::gpu});
            }
}

// A deep halo then comes from several ranks along an axis, and some ranks own nothing but ghosts.
TYPED_TEST(MaxwellRanks, OfASinglePlaneEach) {
    for (const int steps_per_exchange : {1, 2, 3})
        for (const Arrival arrival : arrivals) {
            this->thin().expect({{1, 1, 8}, steps_per_exchange, arrival});
            this->thin().expect({{6, 1, 1}, steps_per_exchange, arrival});
            this->thin().expect({{2, 4, 1}, steps_per_exchange, arrival});
        }
    for (const int steps_per_exchange : {1, 3})
        this->thin().expect({{2, 4, 1}, steps_per_exchange, Arrival::late, Where::host_executor});
}

TYPED_TEST(MaxwellRanks, OfSeveralThreads) {
    this->uneven().expect({{2, 1, 1}, 1, Arrival::late, Where::cpu, 2});
    this->uneven().expect({{1, 1, 2}, 3, Arrival::early, Where::cpu, 3});
}

TYPED_TEST(MaxwellRanks, StartAgain) {
    for (const Where where : {Where::cpu, Where::host_executor})
        this->uneven().expect({{1, 2, 1}, 2, Arrival::early, where, 1, 2});
}

// As the study starts: from zeros, the wave comes in, passes a lossy sphere across the seams and leaves.
TYPED_TEST(MaxwellRanks, LetTheWavePassASphere) {
    const Grid grid = uneven_grid(12, 11, 15);
    const Whole<TypeParam> whole(grid, lossy_sphere(grid), {30, 9, 1}, false, 8);
    for (const int component : {0, 1, 2, 3, 4, 5})  // both polarisations, scattered
        EXPECT_NE(whole.answer[whole.place(component, 6, 5, 12)], 0) << component;
    whole.expect({{2, 2, 2}, 1, Arrival::late});
    whole.expect({{3, 1, 2}, 2, Arrival::early});
    whole.expect({{2, 2, 1}, 3, Arrival::by_chance});
    whole.expect({{2, 1, 2}, 2, Arrival::by_chance, Where::host_executor});
}

}  // namespace
}  // namespace gridmark::maxwell_tests
