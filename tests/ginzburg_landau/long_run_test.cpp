// Every version equals the serial reference over 1000 steps: to the last bit where none fuses multiply-adds,
// and as near as rounding lets two runs be where it does.

#include <gtest/gtest.h>

#include "kernels/ginzburg_landau/problem.hpp"
#include "tests/ginzburg_landau/versions.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::ginzburg_landau_tests {
namespace {

using launch_tests::OnEach;

constexpr int steps = 1000;

/// The states that a long run of T is compared with, and how far it may be off.
template <class T>
struct LongRun {
    Problem p;
    std::vector<T> start, same;
    std::vector<double> exact;
    double spread;

    explicit LongRun(int n) : p(ginzburg_landau::medium(n)) {
        start = ginzburg_landau::random_state<T>(p, 7, 0.1);
        same = ginzburg_landau::reference_solve<T>(p, start, steps);
        exact = ginzburg_landau::reference_solve<double>(p, std::vector<double>(start.begin(), start.end()),
                                                         steps);
        spread = 0;
        for (std::uint64_t seed = 1; seed <= 3; ++seed)
            spread = std::max(spread, ginzburg_landau::rounding_spread<T>(p, start, steps, exact, seed));
    }
};

template <class T>
void expect_equal(const LongRun<T>& run, const Version<T>& version) {
    const auto got = version.solve(run.p, run.start, steps);
    EXPECT_LE(distance(got, run.exact), run.spread) << version.name;
    if (!version.fuses) {
        EXPECT_EQ(distance(got, run.same), 0) << version.name;
    }
}

// The spread must not let a wrong run pass: any number of the equation off by a thousandth is over it.
TEST(Spread, IsNotLoose) {
    const LongRun<float> run(1000);
    const std::vector<double> start(run.start.begin(), run.start.end());
    const auto distance_with = [&](double dt, double d, double a, double b) {
        const Problem p = ginzburg_landau::medium(1000, dt, d, a, b);
        return distance(ginzburg_landau::reference_solve<double>(p, start, steps), run.exact);
    };
    constexpr double off = 1.001;
    const Problem& p = run.p;
    EXPECT_GT(distance_with(p.dt * off, p.d, p.a, p.b), run.spread);
    EXPECT_GT(distance_with(p.dt, p.d * off, p.a, p.b), run.spread);
    EXPECT_GT(distance_with(p.dt, p.d, p.a * off, p.b), run.spread);
    EXPECT_GT(distance_with(p.dt, p.d, p.a, p.b * off), run.spread);
}

/// On a GPU all blocks; on the host, which takes a while for each, every order has one.
std::vector<int> blocks_of(const launch_tests::Target& target) {
    const std::vector<int> blocks{32, 96, 128, 256};
    const auto orders = launch_tests::host_targets();
    for (std::size_t k = 0; k < orders.size(); ++k)
        if (orders[k].name == target.name) return {blocks.at(k)};
    return blocks;
}

class GpuLongRun : public OnEach {
  protected:
    template <class T>
    void check(int n) {
        const LongRun<T> run(n);
        for (const int block : blocks_of(GetParam()))
            for (const auto& version : gpu_versions<T>(*device, block)) {
                // The host has a fiber for each of its threads, which all meet four times a step.
                const bool too_long = !GetParam().gpu && n > 1000 && version.name.starts_with("gpu_grid");
                if (!too_long) expect_equal(run, version);
            }
    }
};

TEST_P(GpuLongRun, EqualsTheReferenceInFloat) {
    check<float>(1000);
    if (GetParam().gpu) check<float>(4099);
}
TEST_P(GpuLongRun, EqualsTheReferenceInDouble) {
    check<double>(4099);
    if (GetParam().gpu) check<double>(1000);
}
INSTANTIATE_TEST_SUITE_P(On, GpuLongRun, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

TEST(CpuLongRun, EqualsTheReference) {
    for (const int n : {1000, 4099}) {
        const LongRun<float> single(n);
        for (const auto& version : cpu_versions<float>())
            expect_equal(single, version);
        const LongRun<double> twice(n);
        for (const auto& version : cpu_versions<double>())
            expect_equal(twice, version);
    }
}

}  // namespace
}  // namespace gridmark::ginzburg_landau_tests
