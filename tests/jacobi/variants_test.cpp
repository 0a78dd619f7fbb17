// Every variant against the reference in double, on fields that are random everywhere (walls and body too).

#include <gtest/gtest.h>

#include <cmath>
#include <set>

#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/make_device.hpp"
#include "tests/jacobi/sweeps.hpp"

namespace gridmark::jacobi_tests {
namespace {

using jacobi::Kind;

template <class T>
void expect_solves(const Sweep<T>& sweep, const Problem& p, int sweeps) {
    SCOPED_TRACE(sweep.name + " on " + std::to_string(p.nx) + "x" + std::to_string(p.ny));
    const auto psi = random_field<T>(p, 1), omega = random_field<T>(p, 2);
    auto now = psi, next = poisoned(p, psi);
    for (int s = 0; s < sweeps; ++s, std::swap(now, next))
        sweep.run(p, now, omega, next);
    expect_swept(p, psi, omega, sweeps, now);
}

/// Channels of awkward sizes, two that tiles fit, and bodies at the edges.
std::vector<Problem> problems() {
    std::vector<Problem> result;
    for (const auto& [nx, ny] : {std::pair{97, 61}, {33, 5}, {3, 3}, {64, 48}, {31, 100}, {40, 33}, {96, 64}})
        result.push_back(uneven_channel(nx, ny));
    Problem p = result.front();
    for (const jacobi::Body body :
         {jacobi::Body{0, 5, 3, 20}, {90, 0, 96, 9}, {40, 10, 40, 10}, {31, 0, 32, 60}}) {
        p.body = body;
        result.push_back(p);
    }
    result.push_back(without_body(p));
    return result;
}

/// Table 1's tilings and some that fit nothing.
const std::vector<Tiling> tilings{{32, 4}, {16, 4}, {8, 4}, {4, 4},   {32, 8}, {16, 8}, {32, 16},
                                  {6, 3},  {9, 3},  {5, 5}, {32, 32}, {3, 1},  {64, 8}, {128, 2}};

const auto check_cpu = []<class T>(T) {
    for (const auto& sweep : cpu_sweeps<T>())
        for (const Problem& p : problems())
            for (int sweeps : {1, 3, 7})
                expect_solves(sweep, p, sweeps);
};

TEST(Cpu, SolvesInFloat) {
    check_cpu(0.0F);
}
TEST(Cpu, SolvesInDouble) {
    check_cpu(0.0);
}

TEST(Cpu, SolvesThePublishedSize) {
    for (const auto& sweep : cpu_sweeps<float>())
        expect_solves(sweep, jacobi::channel(512, 256), 3);
}

class InOrder : public testing::TestWithParam<Order> {
  protected:
    template <class T>
    void check() {
        for (const auto& sweep : gpu_sweeps<T>(tilings, GetParam()))
            for (const Problem& p : problems())
                expect_solves(sweep, p, 3);
        for (const auto& sweep : gpu_sweeps<T>({{32, 8}}, GetParam()))
            for (int sweeps : {1, 5})
                expect_solves(sweep, problems().front(), sweeps);
    }
};

TEST_P(InOrder, SolvesInFloat) {
    check<float>();
}
TEST_P(InOrder, SolvesInDouble) {
    check<double>();
}

std::string order_name(const testing::TestParamInfo<Order>& info) {
    return info.param == Order::forward ? "forward" : info.param == Order::reverse ? "reverse" : "random";
}
INSTANTIATE_TEST_SUITE_P(Gpu, InOrder, testing::Values(Order::forward, Order::reverse, Order::random),
                         order_name);

TEST(Gpu, SolvesThePublishedSize) {
    for (const auto& sweep : gpu_sweeps<float>({{32, 8}, {16, 4}}, Order::random))
        expect_solves(sweep, jacobi::channel(512, 256), 3);
}

TEST(Gpu, FindsEveryVersionByItsNameInBothTypes) {
    std::set<std::string_view> names;
    for (const auto& variant : jacobi::gpu_variants<float>(launch::Executor::host)) {
        EXPECT_TRUE(names.insert(variant.name).second) << variant.name << " stands twice";
        const auto* found = jacobi::find_gpu_variant<double>(launch::Executor::host, variant.name);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->name, variant.name);
    }
    EXPECT_GE(names.size(), 8U);
    EXPECT_EQ(jacobi::find_gpu_variant<float>(launch::Executor::host, "gpu_none"), nullptr);
}

// An ablation takes something away that no value depends on: the same bits, where tiles fit and where not.
TEST(Gpu, AnAblationGivesTheBitsOfItsWhole) {
    int ablations = 0;
    for (const auto& variant : jacobi::gpu_variants<float>(launch::Executor::host)) {
        if (variant.ablation_of.empty()) continue;
        ++ablations;
        const auto* whole = jacobi::find_gpu_variant<float>(launch::Executor::host, variant.ablation_of);
        ASSERT_NE(whole, nullptr);
        EXPECT_EQ(whole->origin, launch::Origin::published);
        EXPECT_EQ(whole->carveout, variant.carveout);
        for (const auto& [nx, ny] : {std::pair{97, 61}, {64, 32}}) {
            const Problem p = uneven_channel(nx, ny);
            const auto psi = random_field<float>(p, 1), omega = random_field<float>(p, 2);
            auto one = psi, other = psi;
            on_host(variant, {16, 4}, Order::random).run(p, psi, omega, one);
            on_host(*whole, {16, 4}, Order::random).run(p, psi, omega, other);
            EXPECT_EQ(one, other) << variant.name << " on " << nx << " x " << ny;
        }
    }
    EXPECT_EQ(ablations, 2);
}

// Two versions measured in turns: each has its own constants, whatever the other was prepared with.
TEST(Gpu, KeepsItsConstantsWhenAnotherVersionIsPrepared) {
    const auto device = launch::host_device();
    const Problem p = problems().front();
    const auto psi = random_field<float>(p, 1), omega = random_field<float>(p, 2);
    const launch::Buffer<float> from(*device, psi), source(*device, omega);
    std::vector<jacobi::GpuVariant<float>> variants;
    for (const auto& variant : jacobi::gpu_variants<float>(launch::Executor::host))
        if (variant.tiled) variants.push_back(variant);
    const Tiling tiling{8, 4};
    for (const auto& variant : variants) {
        SCOPED_TRACE(variant.name);
        std::vector<float> alone(psi), after(psi);
        for (auto* result : {&alone, &after}) {
            variant.prepare(device->stream(), p, tiling, launch::Carveout::prefer_l1);
            if (result == &after)
                for (const auto& other : variants)
                    if (&other != &variant)
                        other.prepare(device->stream(), jacobi::channel(64, 48), {32, 4},
                                      launch::Carveout::prefer_l1);
            launch::Buffer<float> to(*device, std::span<const float>(*result));
            variant.sweep(device->stream(), p, tiling, 1, {from.data(), source.data(), to.data()});
            to.download(*result);
        }
        EXPECT_EQ(alone, after);
    }
}

// A version may write a fixed point only with the value that psi has there: both buffers hold it anyway.
template <class T>
void expect_fixed_points_stay(const Sweep<T>& sweep, const Problem& p) {
    SCOPED_TRACE(sweep.name);
    const T mark = 7;
    const auto psi = random_field<T>(p, 1);
    auto next = with(p, psi, true, mark);
    sweep.run(p, psi, random_field<T>(p, 2), next);
    for (std::size_t k = 0; k < psi.size(); ++k)
        if (kind(p, static_cast<int>(k % p.nx), static_cast<int>(k / p.nx)) == Kind::fixed &&
            !(sweep.rewrites && next[k] == psi[k])) {
            ASSERT_EQ(next[k], mark) << "at (" << k % p.nx << ", " << k / p.nx << ")";
        }
}

TEST(FixedPoints, AreNotTouched) {
    for (const Problem& p : problems()) {
        for (const auto& sweep : all_sweeps<float>())
            expect_fixed_points_stay(sweep, p);
        for (const auto& sweep : all_sweeps<double>())
            expect_fixed_points_stay(sweep, p);
    }
}

TEST(Outflow, CopiesTheOldNeighbour) {
    const Problem p = problems().front();
    const auto psi = random_field<float>(p, 1);
    for (const auto& sweep : all_sweeps<float>()) {
        SCOPED_TRACE(sweep.name);
        auto next = psi;
        sweep.run(p, psi, random_field<float>(p, 2), next);
        for (int j = 1; j < p.ny - 1; ++j)
            ASSERT_EQ(next[p.nx - 1 + j * p.nx], psi[p.nx - 2 + j * p.nx]) << "row " << j;
    }
}

// The bound must tell a wrong kernel from a rounded one: one coefficient off by a hundred-thousandth is over
// it.
TEST(RoundingBound, IsNotLoose) {
    for (int wrong = 0; wrong < 3; ++wrong) {
        SCOPED_TRACE("coefficient " + std::to_string(wrong));
        const Problem p = problems().front();
        const auto psi = random_field<float>(p, 1), omega = random_field<float>(p, 2);
        auto k = jacobi::coefficients<float>(p);
        (wrong == 0 ? k.a : wrong == 1 ? k.b : k.c) *= 1 + 1e-5F;
        const auto expected = jacobi::reference_solve(p, std::vector<double>(psi.begin(), psi.end()),
                                                      std::vector<double>(omega.begin(), omega.end()), 1);
        double error = 0;
        for (int j = 1; j < p.ny - 1; ++j) {
            for (int i = 1; i < p.nx - 1; ++i) {
                const int at = i + j * p.nx;
                if (kind(p, i, j) != Kind::inside) continue;
                const double value = static_cast<double>(k.a) * (psi[at + 1] + psi[at - 1]) +
                                     static_cast<double>(k.b) * (psi[at + p.nx] + psi[at - p.nx]) +
                                     static_cast<double>(k.c) * omega[at];
                error = std::max(error, std::abs(value - expected[at]));
            }
        }
        EXPECT_GT(error, jacobi::rounding_bound<float>(1, 1, std::abs(k.c)));
    }
}

TEST(RoundingBound, GrowsWithSweepsAndSize) {
    EXPECT_DOUBLE_EQ(jacobi::rounding_bound<double>(1, 1, 0), 2.5 * 0x1p-52);
    EXPECT_DOUBLE_EQ(jacobi::rounding_bound<float>(4, 2, 1), 30 * 0x1p-23);
}

}  // namespace
}  // namespace gridmark::jacobi_tests
