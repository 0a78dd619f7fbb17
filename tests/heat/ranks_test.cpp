// The tissue cut among ranks: whatever the cut, bit by bit the answer of one rank, and that one is a verified
// version's.

#include "kernels/heat/ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "kernels/heat/cpu_row.hpp"
#include "kernels/launch/make_device.hpp"
#include "kernels/precision.hpp"
#include "kernels/random.hpp"
#include "kernels/ranks/stepping.hpp"
#include "tests/heat/versions.hpp"
#include "tests/ranks/gathered.hpp"

namespace gridmark::heat_tests {
namespace {

using ranks::Arrival;
using ranks::Triple;

constexpr std::uint64_t ranks_seed = 11;
constexpr double ranks_ratio = 0.05;

/// Spacings differ, so that no exchange of axes goes unseen.
Problem uneven_tissue(const Triple& n) {
    return heat::tissue(n[0], n[1], n[2], 1e-4, {1e-3, 1.5e-3, 0.7e-3}, 37);
}

enum class On { cpu, host_executor };

/// A part, and where it lies.
template <class T>
struct Placed {
    std::unique_ptr<launch::Device> device;
    std::unique_ptr<ranks::Part<T>> part;
};

template <class T>
Placed<T> place(On on, const Problem& p, const ranks::Box& stored, const heat::StartFunction<T>& start,
                int threads = 1) {
    if (on == On::cpu) return {nullptr, heat::cpu_part<T>(p, stored, start, threads)};
    auto device = launch::host_device();
    auto part = heat::gpu_part<T>(*device, p, stored, start);
    return {std::move(device), std::move(part)};
}

template <class T>
heat::StartFunction<T> random_points(const Problem& p) {
    return [p](int i, int j, int k) { return heat::random_start_at<T>(p, ranks_seed, ranks_ratio, i, j, k); };
}

/// How the ranks go about it.
struct Way {
    Triple parts;
    int steps_per_exchange;
    Arrival arrival = Arrival::by_chance;
    int threads = 1;
};

/// The interior after some steps, gathered from all ranks.
template <class T>
std::vector<T> solve_among_ranks(On on, const Problem& p, const Way& way, int steps) {
    const ranks::Cut cut(heat::grid_box(p), way.parts);
    return tests::gathered<T>(cut, way.arrival, 1, [&](ranks::Transport& transport, const auto& hand_over) {
        const ranks::Box own = cut.own(transport.rank());
        const auto placed = place<T>(on, p, heat::stored_box(p, own, way.steps_per_exchange),
                                     random_points<T>(p), way.threads);
        ranks::Stepping<T> stepping(transport, cut, *placed.part, way.steps_per_exchange);
        placed.part->start();
        tests::step_in_calls(stepping, steps);
        hand_over(*placed.part);
    });
}

template <class T>
void expect_same(const Problem& p, const std::vector<T>& values, const std::vector<T>& expected) {
    for (std::size_t n = 0; n < p.points(); ++n)
        ASSERT_EQ(values[n], expected[n])  // fails for NaN
            << "at (" << n % p.nx << ", " << n / p.nx % p.ny << ", " << n / p.nx / p.ny << ")";
}

std::string to_text(const Way& way) {
    return std::to_string(way.parts[0]) + " x " + std::to_string(way.parts[1]) + " x " +
           std::to_string(way.parts[2]) + " parts, " + std::to_string(way.steps_per_exchange) +
           " steps an exchange, arrival " + std::to_string(static_cast<int>(way.arrival)) + ", " +
           std::to_string(way.threads) + " threads";
}

constexpr On both[] = {On::cpu, On::host_executor};
constexpr Triple uncut{1, 1, 1};

// The step is the rows of cpu_vector, or the arithmetic of gpu_no_shared, which the host executor does not
// contract. So not even roundings differ.
template <class T>
void expect_the_verified_answer(const Triple& n, int steps) {
    const Problem p = uneven_tissue(n);
    const auto start = heat::random_start<T>(p, ranks_seed, ranks_ratio);
    const T poison = std::numeric_limits<T>::quiet_NaN();
    const Isa widest = widest_isa();
    const auto vectors = blocked<T>(&widest, {{64, 64, 64}, {64, 64, 64}, false}, 1);
    expect_same(p, solve_among_ranks<T>(On::cpu, p, {uncut, 1}, steps),
                solve(vectors, p, start, steps, poison).interior);
    const auto device = launch::host_device();
    const auto* const no_shared = heat::find_gpu_variant<T>(launch::Executor::host, "gpu_no_shared");
    ASSERT_NE(no_shared, nullptr);
    expect_same(
        p, solve_among_ranks<T>(On::host_executor, p, {uncut, 1}, steps),
        solve(on_device(*device, *no_shared, heat::BetaPath::load), p, start, steps, poison).interior);
}

TEST(HeatRanks, OneRankGivesAVerifiedAnswer) {
    for (const Triple& n : {Triple{19, 7, 11}, {5, 3, 8}, {37, 40, 35}, {1, 1, 1}}) {
        expect_the_verified_answer<float>(n, 7);
        expect_the_verified_answer<double>(n, 7);
    }
}

/// Every cut against one rank, with these steps an exchange. The order of messages goes round.
template <class T>
void expect_no_cut_matters(const Triple& n, std::initializer_list<Triple> cuts, std::initializer_list<int> ks,
                           int steps) {
    const Problem p = uneven_tissue(n);
    int turn = 0;
    for (const On on : both) {
        const std::vector<T> alone = solve_among_ranks<T>(on, p, {uncut, 1}, steps);
        for (const Triple& parts : cuts)
            for (const int k : ks) {
                const Way way{parts, k, static_cast<Arrival>(turn % 3), 1 + turn % 2};
                ++turn;
                SCOPED_TRACE(std::string(on == On::cpu ? "CPU, " : "host executor, ") + to_text(way));
                expect_same(p, solve_among_ranks<T>(on, p, way, steps), alone);
            }
    }
}

template <class T>
class HeatCuts : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(HeatCuts, Precisions);

// Seven steps: with two, three and five an exchange a shorter block is left at the end.
TYPED_TEST(HeatCuts, DoNotMatter) {
    expect_no_cut_matters<TypeParam>({19, 7, 11},
                                     {uncut,
                                      {2, 1, 1},
                                      {1, 2, 1},
                                      {1, 1, 2},
                                      {3, 1, 1},
                                      {1, 4, 1},
                                      {1, 1, 5},
                                      {2, 3, 1},
                                      {3, 1, 2},
                                      {1, 2, 3},
                                      {7, 1, 1},
                                      {2, 2, 2}},
                                     {1, 2, 3, 5}, 7);
}

// Ranks of one row: a halo comes from two ranks away, or, with several steps, from all of them.
TYPED_TEST(HeatCuts, MayLeaveARankOneRow) {
    expect_no_cut_matters<TypeParam>({5, 3, 8}, {{1, 3, 1}, {1, 1, 8}, {5, 1, 1}, {2, 1, 4}, {1, 3, 2}},
                                     {1, 2, 3, 5}, 7);
    expect_no_cut_matters<TypeParam>({1, 1, 6}, {{1, 1, 6}}, {1, 3}, 7);
}

// The inside is then large enough to be computed in slices while messages travel, in vectors and without.
TYPED_TEST(HeatCuts, OfBoxesWithAnInside) {
    expect_no_cut_matters<TypeParam>({37, 40, 35}, {{2, 2, 2}, {1, 1, 3}, {3, 2, 1}}, {1, 2, 3}, 6);
}

TYPED_TEST(HeatCuts, TakeMessagesInAnyOrder) {
    using T = TypeParam;
    const Problem p = uneven_tissue({19, 7, 11});
    for (const On on : both) {
        const auto alone = solve_among_ranks<T>(on, p, {uncut, 1}, 7);
        for (const Arrival arrival : {Arrival::early, Arrival::late, Arrival::by_chance})
            for (const int k : {1, 3}) {
                SCOPED_TRACE(to_text({{2, 2, 2}, k, arrival}));
                expect_same(p, solve_among_ranks<T>(on, p, {{2, 2, 2}, k, arrival}, 7), alone);
            }
    }
}

// What cuts along x rest upon: vectors and single numbers round in the same way.
template <class T>
void expect_rows_to_be_cuttable(Isa isa) {
    using namespace gridmark::heat;  // that of GRIDMARK_VERSIONS
    const auto row = for_precision<T>(for_isa(isa, GRIDMARK_VERSIONS(row_float)),
                                      for_isa(isa, GRIDMARK_VERSIONS(row_double)));
    constexpr int count = 75, stride = count + 2 * heat::halo, plane = 5 * stride;
    std::vector<T> now(5 * plane), beta(count), whole(count), cut(count);
    for (std::size_t n = 0; n < now.size(); ++n)
        now[n] = static_cast<T>(17 + 40 * unit_random(ranks_seed, n));
    for (int i = 0; i < count; ++i)
        beta[i] = static_cast<T>(5e-4 * unit_random(ranks_seed + 1, i));
    const auto k = heat::coefficients<T>(uneven_tissue({count, 1, 1}));
    const T* const first = now.data() + 2 * plane + 2 * stride + heat::halo;
    row(k, first, beta.data(), whole.data(), stride, plane, count, false);
    for (int length = 1; length < 40; ++length) {
        for (int i = 0; i < count; i += length)
            row(k, first + i, beta.data() + i, cut.data() + i, stride, plane, std::min(length, count - i),
                false);
        ASSERT_EQ(cut, whole) << "in pieces of " << length;
    }
}

TEST(HeatRanks, RowsMayBeCutAnywhere) {
    for (const Isa isa : compiled_isas)
        if (has_isa(isa)) {
            SCOPED_TRACE(name_of(isa));
            expect_rows_to_be_cuttable<float>(isa);
            expect_rows_to_be_cuttable<double>(isa);
        }
}

TEST(HeatRanks, StoreTheFixedLayersThatTheyRead) {
    const Problem p = uneven_tissue({19, 7, 11});
    EXPECT_EQ(heat::grid_box(p), (ranks::Box{{0, 0, 0}, {19, 7, 11}}));
    const ranks::Box own{{0, 3, 4}, {9, 7, 8}};
    EXPECT_EQ(heat::stored_box(p, own, 1), (ranks::Box{{-2, 1, 2}, {11, 9, 10}}));
    EXPECT_EQ(heat::stored_box(p, own, 2), (ranks::Box{{-2, -1, 0}, {13, 9, 12}}));
    EXPECT_EQ(heat::stored_box(p, own, 5), (ranks::Box{{-2, -2, -2}, {19, 9, 13}}));
}

TEST(HeatRanks, MayShareAGridOfAnySize) {
    const Problem p = heat::tissue_among_ranks(4096, 4096, 4096), thesis = heat::tissue(1, 1, 1);
    EXPECT_EQ(p.points(), std::size_t{1} << 36);
    EXPECT_EQ(p.dt, thesis.dt);
    EXPECT_EQ(p.dz, thesis.dz);
    EXPECT_EQ(p.boundary, thesis.boundary);
    EXPECT_THROW(heat::tissue_among_ranks(4096, 0, 4096), std::invalid_argument);
    EXPECT_THROW(heat::tissue_among_ranks(4, 4, 4, 0, {1, 1, 1}, 37), std::invalid_argument);
    // Planes 2^32 points apart.
    EXPECT_NE(heat::random_start_at<double>(p, 1, ranks_ratio, 3, 2, 0).temperature,
              heat::random_start_at<double>(p, 1, ranks_ratio, 3, 2, 256).temperature);
    EXPECT_NE(heat::phantom_at<double>(p, 1, 3, 2, 0).beta, heat::phantom_at<double>(p, 1, 3, 2, 256).beta);
}

// Ten points from the corner of a grid of 2^33, against a grid of as many with the same start.
TYPED_TEST(HeatCuts, WorkBeyondTwoToThe31Points) {
    using T = TypeParam;
    const Problem large = heat::tissue_among_ranks(2048, 2048, 2048), small = heat::tissue(8, 8, 8);
    constexpr int low = 2040;
    for (const On on : both) {
        const auto far = place<T>(on, large, {{low, low, low}, {2050, 2050, 2050}}, random_points<T>(large));
        const auto near = place<T>(on, small, {{0, 0, 0}, {10, 10, 10}}, [&](int i, int j, int k) {
            return heat::random_start_at<T>(large, ranks_seed, ranks_ratio, low + i, low + j, low + k);
        });
        std::vector<T> values(6 * 6 * 6), expected(values);
        const auto step = [](const Placed<T>& placed, const ranks::Box& box, std::vector<T>& to) {
            placed.part->start();
            placed.part->update(0, box);
            placed.part->done(0);
            placed.part->read(0, box, to.data());
        };
        step(far, {{2042, 2042, 2042}, {2048, 2048, 2048}}, values);
        step(near, {{2, 2, 2}, {8, 8, 8}}, expected);
        EXPECT_EQ(values, expected);
        EXPECT_NE(values.front(), 37);
    }
}

TEST(HeatRanks, RefuseAPlaneThatTheRowsCannotIndex) {
    const Problem p = heat::tissue_among_ranks(40000, 40000, 4);
    const auto part = [&](int depth_y) {
        return heat::cpu_part<float>(p, {{0, 0, 0}, {1 << 15, depth_y, 0}}, random_points<float>(p), 1);
    };
    EXPECT_THROW(part(1 << 15), std::invalid_argument);
    EXPECT_NO_THROW(part((1 << 15) - 1));  // of no plane: only the check is under test
}

// Every point's start can be had alone.
TYPED_TEST(HeatCuts, StartAsTheGridDoes) {
    using T = TypeParam;
    const Problem p = uneven_tissue({9, 5, 7});
    const auto random = heat::random_start<T>(p, 3, ranks_ratio);
    const auto tissue = heat::phantom<T>(p, 3);
    for (int k = 0; k < p.nz; ++k)
        for (int j = 0; j < p.ny; ++j)
            for (int i = 0; i < p.nx; ++i) {
                const int at = i + 9 * (j + 5 * k);
                const auto random_point = heat::random_start_at<T>(p, 3, ranks_ratio, i, j, k);
                ASSERT_EQ(random_point.temperature, random.t0[at]);
                ASSERT_EQ(random_point.beta, random.beta[at]);
                const auto point = heat::phantom_at<T>(p, 3, i, j, k);
                ASSERT_EQ(point.temperature, tissue.t0[at]);
                ASSERT_EQ(point.beta, tissue.beta[at]);
            }
}

}  // namespace
}  // namespace gridmark::heat_tests
