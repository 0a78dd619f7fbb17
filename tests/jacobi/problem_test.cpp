// The channel, the tilings that versions accept, and the declared cost, counted.

#include "kernels/jacobi/problem.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "kernels/jacobi/update.hpp"
#include "tests/jacobi/sweeps.hpp"

namespace gridmark::jacobi_tests {
namespace {

using namespace gridmark::jacobi;

TEST(Channel, HasTheStatedSpacingAndBody) {
    const Problem p = channel(512, 256);
    EXPECT_EQ(p.nx, 512);
    EXPECT_EQ(p.ny, 256);
    EXPECT_DOUBLE_EQ(p.hx, 2.0 / 511);
    EXPECT_DOUBLE_EQ(p.hy, 1.0 / 255);
    EXPECT_EQ(p.body.x1, 224);
    EXPECT_EQ(p.body.x2, 287);
    EXPECT_EQ(p.body.y1, 96);
    EXPECT_EQ(p.body.y2, 159);
}

TEST(Channel, RefusesSizesThatItCannotIndex) {
    for (const auto& [nx, ny] :
         {std::pair{2, 5}, {5, 2}, {0, 0}, {-4, -4}, {65536, 32768}, {1 << 30, 1 << 30}})
        EXPECT_THROW(channel(nx, ny), std::invalid_argument) << nx << " x " << ny;
    EXPECT_NO_THROW(channel(3, 3));
    EXPECT_NO_THROW(channel(65535, 32768));
}

TEST(Channel, IsTooSmallForABodyBelowEightColumns) {
    const auto points = mask(channel(7, 20));
    for (int j = 1; j < 19; ++j)
        for (int i = 1; i < 6; ++i)
            EXPECT_EQ(points[i + 7 * j], static_cast<int>(Kind::inside)) << i << ", " << j;
}

TEST(Coefficients, FollowFromTheSpacings) {
    const Problem p{4, 4, 3, 2, {0, 0, -1, -1}};  // hx^2 = 9, hy^2 = 4: d = 26
    const auto k = coefficients<double>(p);
    EXPECT_DOUBLE_EQ(k.a, 4.0 / 26);
    EXPECT_DOUBLE_EQ(k.b, 9.0 / 26);
    EXPECT_DOUBLE_EQ(k.c, -36.0 / 26);
    const auto single = coefficients<float>(p);
    EXPECT_EQ(single.a, static_cast<float>(k.a));
    EXPECT_EQ(single.b, static_cast<float>(k.b));
    EXPECT_EQ(single.c, static_cast<float>(k.c));
}

TEST(Coefficients, WeighNeighboursToOne) {
    for (const auto& [nx, ny] : {std::pair{512, 256}, {3, 3}, {31, 100}}) {
        const auto k = coefficients<double>(channel(nx, ny));
        EXPECT_NEAR(2 * k.a + 2 * k.b, 1, 1e-15);
        EXPECT_NE(k.a, k.b);
        EXPECT_LT(k.c, 0);
    }
}

TEST(Kinds, OfEdgesAndBody) {
    const Problem p{10, 8, 1, 1, {4, 3, 5, 4}};
    for (int j = 0; j < 8; ++j)
        EXPECT_EQ(kind(p, 0, j), Kind::fixed) << "inflow, row " << j;
    for (int i = 0; i < 10; ++i) {
        EXPECT_EQ(kind(p, i, 0), Kind::fixed) << "wall, column " << i;
        EXPECT_EQ(kind(p, i, 7), Kind::fixed) << "wall, column " << i;
    }
    for (int j = 1; j < 7; ++j)
        EXPECT_EQ(kind(p, 9, j), Kind::outflow) << "row " << j;
    for (const auto& [i, j] : {std::pair{4, 3}, {5, 3}, {4, 4}, {5, 4}})
        EXPECT_EQ(kind(p, i, j), Kind::fixed);
    for (const auto& [i, j] : {std::pair{3, 3}, {6, 3}, {4, 2}, {5, 5}, {1, 1}, {8, 6}})
        EXPECT_EQ(kind(p, i, j), Kind::inside) << i << ", " << j;
    EXPECT_EQ(kind(without_body(p), 4, 3), Kind::inside);
}

TEST(Kinds, MaskHoldsThemInFieldOrder) {
    const Problem p{10, 8, 1, 1, {4, 3, 5, 4}};
    const auto points = mask(p);
    ASSERT_EQ(points.size(), 80U);
    std::map<int, int> count;
    for (const auto value : points)
        ++count[value];
    EXPECT_EQ(count, (std::map<int, int>{{0, 8 + 10 + 10 - 2 + 4}, {1, 8 * 6 - 4}, {2, 6}}));
    EXPECT_EQ(points[9 + 10 * 2], 2);
    EXPECT_EQ(points[5 + 10 * 4], 0);
    EXPECT_EQ(points[4 + 10 * 5], 1);
}

TEST(InitialPsi, IsTheInflowOnTheWallsAndOneHalfOnTheBody) {
    const Problem p = channel(40, 21);
    const auto psi = initial_psi<double>(p, 5);
    ASSERT_EQ(psi.size(), 40U * 21U);
    for (int i = 0; i < 40; ++i) {
        EXPECT_EQ(psi[i], 0);
        EXPECT_DOUBLE_EQ(psi[i + 40 * 20], 1);
    }
    for (int j = 0; j < 21; ++j)
        EXPECT_DOUBLE_EQ(psi[40 * j], j / 20.0);
    for (int j = p.body.y1; j <= p.body.y2; ++j)
        for (int i = p.body.x1; i <= p.body.x2; ++i)
            EXPECT_EQ(psi[i + 40 * j], 0.5);
    double most = 0;
    for (int j = 1; j < 20; ++j)
        for (int i = 1; i < 40; ++i)
            if (kind(p, i, j) != Kind::fixed) most = std::max(most, std::abs(psi[i + 40 * j] - j / 20.0));
    EXPECT_LE(most, 0.1);
    EXPECT_GT(most, 0.05) << "there is noise";
}

TEST(InitialPsi, DependsOnTheSeedAlone) {
    const Problem p = channel(40, 21);
    EXPECT_EQ(initial_psi<double>(p, 5), initial_psi<double>(p, 5));
    EXPECT_NE(initial_psi<double>(p, 5), initial_psi<double>(p, 6));
    const auto twice = initial_psi<double>(p, 5);
    const auto single = initial_psi<float>(p, 5);
    for (std::size_t k = 0; k < twice.size(); ++k)
        ASSERT_EQ(single[k], static_cast<float>(twice[k]));
}

TEST(RandomOmega, FillsItsRangeEvenly) {
    const Problem p = channel(200, 100);
    const auto omega = random_omega<double>(p, 1);
    const auto [least, most] = std::minmax_element(omega.begin(), omega.end());
    EXPECT_GE(*least, -1);
    EXPECT_LT(*least, -0.99);
    EXPECT_LE(*most, 1);
    EXPECT_GT(*most, 0.99);
    // 20000 values of variance 1/3: the mean's deviation is 0.0041.
    EXPECT_NEAR(std::accumulate(omega.begin(), omega.end(), 0.0) / 20000, 0, 0.02);
    EXPECT_NE(omega, random_omega<double>(p, 2));
    EXPECT_NE(random_omega<double>(p, 1), initial_psi<double>(p, 1));
}

// --- tilings

std::string refusal(void (*check)(const Tiling&), Tiling tiling) {
    try {
        check(tiling);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(Tiling, AcceptsTable1) {
    for (const Tiling t :
         {Tiling{32, 4}, {16, 4}, {8, 4}, {4, 4}, {32, 8}, {16, 8}, {32, 16}, {32, 32}, {6, 3}})
        EXPECT_EQ(refusal(jacobi::check_shared_tiling, t), "") << t.tile_y << " / " << t.block_y;
}

TEST(Tiling, RefusesWhatNoVersionCanRun) {
    for (auto* check : {jacobi::check_tiling, jacobi::check_shared_tiling}) {
        for (const Tiling t : {Tiling{0, 4}, {-8, 4}, {8, 0}, {8, -4}, {0, 0}})
            EXPECT_NE(refusal(check, t).find("at least 1"), std::string::npos)
                << t.tile_y << " / " << t.block_y;
        EXPECT_NE(refusal(check, {33, 33}).find("1024"), std::string::npos);
        EXPECT_NE(refusal(check, {64, 64}).find("1024"), std::string::npos);
        EXPECT_NE(refusal(check, {10, 4}).find("multiple"), std::string::npos);
        EXPECT_NE(refusal(check, {4, 8}).find("multiple"), std::string::npos);
    }
}

TEST(Tiling, OnlySharedNeedsThreeThreadRowsAndShortTiles) {
    for (const Tiling t : {Tiling{8, 1}, {8, 2}, {2, 2}, {64, 8}, {36, 3}}) {
        EXPECT_EQ(refusal(jacobi::check_tiling, t), "") << t.tile_y << " / " << t.block_y;
        EXPECT_NE(refusal(jacobi::check_shared_tiling, t), "") << t.tile_y << " / " << t.block_y;
    }
    EXPECT_NE(refusal(jacobi::check_shared_tiling, {8, 2}).find("at least 3"), std::string::npos);
    EXPECT_NE(refusal(jacobi::check_shared_tiling, {64, 8}).find("at most 32"), std::string::npos);
}

TEST(Tiling, EveryVersionChecksItsOwn) {
    const Problem p = jacobi::channel(64, 48);
    for (const auto& variant : jacobi::gpu_variants<float>(launch::Executor::host)) {
        if (!variant.tiled) continue;
        if (variant.carveout == launch::Carveout::prefer_shared)
            EXPECT_THROW(variant.check(p, {64, 8}), std::invalid_argument) << variant.name;
        else
            EXPECT_NO_THROW(variant.check(p, {64, 8})) << variant.name;
        EXPECT_THROW(variant.check(p, {10, 4}), std::invalid_argument) << variant.name;
    }
}

// --- cost

/// A number that only counts what is done with it.
struct Counted {
    inline static int multiplications = 0, additions = 0;
    friend Counted operator*(Counted, Counted) { return ++multiplications, Counted(); }
    friend Counted operator+(Counted, Counted) { return ++additions, Counted(); }
};

TEST(Cost, OperationsOfAnUpdate) {
    Counted::multiplications = Counted::additions = 0;
    jacobi::update(jacobi::Coefficients<Counted>{}, Counted(), Counted(), Counted(), Counted(), Counted());
    EXPECT_EQ(Counted::multiplications, 3);
    EXPECT_EQ(Counted::additions, 4);
    EXPECT_EQ(jacobi::flops_per_point, Counted::multiplications + Counted::additions);
}

/// How many values of psi and omega a sweep depends on, and how many it writes: found by changing one at a
/// time.
int values_moved(const Sweep<double>& sweep, const Problem& p) {
    const std::size_t n = static_cast<std::size_t>(p.nx) * p.ny;
    const auto start = jacobi::initial_psi<double>(p, 1), source = jacobi::random_omega<double>(p, 1);
    std::vector<double> psi(start.begin(), start.end()), omega(source.begin(), source.end());
    const double unwritten = 99;
    const auto run = [&] {
        std::vector<double> next(n, unwritten);
        sweep.run(p, psi, omega, next);
        return next;
    };
    const auto before = run();
    int moved = static_cast<int>(n) - static_cast<int>(std::count(before.begin(), before.end(), unwritten));
    for (auto* read : {&psi, &omega}) {
        for (double& value : *read) {
            const double kept = std::exchange(value, value + 1);
            moved += run() != before;
            value = kept;
        }
    }
    return moved;
}

// The least traffic: psi and omega read once and psi' written once for every point, less what edges do not
// need.
TEST(Cost, ValuesReadAndWritten) {
    const Problem p = jacobi::without_body(jacobi::channel(24, 20));
    const int inside = 22 * 18, outflow = 18, corners = 4;
    // Written: inside and outflow. psi: all but the corners. omega: inside.
    const int expected = (inside + outflow) + (24 * 20 - corners) + inside;
    for (const auto& variant : jacobi::cpu_variants<double>)
        EXPECT_EQ(values_moved(on_cpu(variant, 1), p), expected) << variant.name;
    for (const auto& variant : jacobi::gpu_variants<double>(launch::Executor::host)) {
        if (variant.origin != launch::Origin::published && variant.ablation_of.empty()) continue;
        EXPECT_EQ(values_moved(on_host(variant, {4, 4}, Order::forward), p), expected) << variant.name;
    }
}

TEST(Cost, BytesPerPoint) {
    const Problem p = jacobi::without_body(jacobi::channel(24, 20));
    const double per_inside_point =
        values_moved(on_cpu(jacobi::cpu_variants<double>[0], 1), p) / (22.0 * 18.0);
    EXPECT_NEAR(jacobi::bytes_per_point<double> / sizeof(double), per_inside_point, 0.3);  // the edges' share
    EXPECT_EQ(jacobi::bytes_per_point<float>, 12);
    EXPECT_EQ(jacobi::bytes_per_point<double>, 24);
}

}  // namespace
}  // namespace gridmark::jacobi_tests
