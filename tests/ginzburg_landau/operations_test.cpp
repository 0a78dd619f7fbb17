// What each version really computes, counted by a number that counts its operations: 128 a pair in a step,
// and gpu_overlap8 in addition what the blocks compute twice.

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>

#include "kernels/ginzburg_landau/cpu_stage.cpp"
#include "kernels/ginzburg_landau/gpu_overlap8.cu"
#include "kernels/ginzburg_landau/gpu_overlap8_listing.cu"
#include "kernels/ginzburg_landau/gpu_relaunch.cu"
#include "kernels/ginzburg_landau/problem.hpp"
#include "kernels/ginzburg_landau/reference.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::ginzburg_landau_tests {
namespace {

using ginzburg_landau::flops_per_pair;
using ginzburg_landau::Problem;

std::atomic<long> counted;

/// A double that counts.
struct Counted {
    double value;
    Counted() = default;
    // NOLINTNEXTLINE(google-explicit-constructor): the kernels write T{0} and convert their coefficients
    constexpr Counted(double x) : value(x) {}
    friend Counted operator*(Counted a, Counted b) { return ++counted, Counted(a.value * b.value); }
    friend Counted operator+(Counted a, Counted b) { return ++counted, Counted(a.value + b.value); }
    friend Counted operator-(Counted a) { return {-a.value}; }  // a multiply-add takes it for nothing
    friend Counted operator-(Counted a, Counted b) { return ++counted, Counted(a.value - b.value); }
};

/// Operations of a step, whose result must be the reference's: to the last bit, or within `apart`.
template <class Step>
long operations(const Problem& p, Step step, double apart = 0) {
    const auto start = ginzburg_landau::random_state<double>(p, 1, 0.5);
    std::vector<Counted> now(start.begin(), start.end()), next(p.values()), scratch(2 * p.values());
    counted = 0;
    step(now.data(), next.data(), scratch.data());
    const auto expected = ginzburg_landau::reference_solve<double>(p, start, 1);
    for (std::size_t i = 0; i < expected.size(); ++i)
        EXPECT_LE(std::abs(next[i].value - expected[i]), apart) << i;
    return counted;
}

TEST(Operations, OfRelaunch) {
    const Problem p = ginzburg_landau::medium(1000);
    const auto device = launch::host_device();
    const long found = operations(p, [&](const Counted* now, Counted* next, Counted* scratch) {
        ginzburg_landau::host::relaunch::step<Counted>(device->stream(), p, 96, 1, now, next, scratch);
        device->synchronize();
    });
    EXPECT_EQ(found, flops_per_pair * p.n);
}

// Of a step's operations only the four of each of the last four sums (16 a pair) are not repeated.
TEST(Operations, OfOverlap8) {
    const auto device = launch::host_device();
    for (const int block : {32, 128, 1024}) {
        const Problem p = ginzburg_landau::medium(8 + 5 * (block - 8));  // the last block is full
        const long found = operations(p, [&](const Counted* now, Counted* next, Counted*) {
            ginzburg_landau::host::overlap8::step<Counted>(device->stream(), p, block, 1, now, next, nullptr);
            device->synchronize();
        });
        const double repeated = ginzburg_landau::repeated_share(p.n, block);
        EXPECT_NEAR(static_cast<double>(found), (flops_per_pair + repeated * (flops_per_pair - 16)) * p.n,
                    0.5)
            << block;
    }
}

// The slides' own order: 31 a rate (23 at an end), 16 of three stage vectors, 16 of the sum. Blocks repeat
// all of them, the sum too.
TEST(Operations, OfTheListing) {
    const auto device = launch::host_device();
    for (const int block : {32, 128}) {
        const Problem p = ginzburg_landau::medium(8 + 5 * (block - 8) - 3);  // three threads have no point
        const auto bound = ginzburg_landau::rounding_bound<double>(p, 1, 2);
        const long found = operations(
            p,
            [&](const Counted* now, Counted* next, Counted*) {
                ginzburg_landau::host::listing::step<Counted>(device->stream(), p, block, 1, now, next,
                                                              nullptr);
                device->synchronize();
            },
            bound);
        const double points = p.n * (1 + ginzburg_landau::repeated_share(p.n, block));
        EXPECT_EQ(found, (4 * 31 + 16 + 16) * points - 2 * 4 * (31 - 23)) << block;
    }
}

// The stage of all CPU versions.
TEST(Operations, OfTheCpuStages) {
    using namespace ginzburg_landau;
    const Problem p = medium(1000);
    const auto c = coefficients<Counted>(p);
    const auto w = weights<Counted>(p);
    const long found = operations(p, [&](const Counted* now, Counted* next, Counted* scratch) {
        Counted *const one = scratch, *const other = scratch + p.values();
        const Stage<Counted> stages[]{{now, now, now, next, one, p.n, w.sixth, w.half},
                                      {one, now, next, next, other, p.n, w.third, w.half},
                                      {other, now, next, next, one, p.n, w.third, w.whole}};
        for (const auto& stage : stages)
            counting::points<Counted, false>(stage, c, 0, p.n, true, true);
        counting::points<Counted, true>({one, now, next, next, nullptr, p.n, w.sixth, 0.0}, c, 0, p.n, true,
                                        true);
    });
    EXPECT_EQ(found, flops_per_pair * p.n);
}

}  // namespace
}  // namespace gridmark::ginzburg_landau_tests
