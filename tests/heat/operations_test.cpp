// What each version really computes, counted by a number that counts its operations: all versions, compiled
// again for that number, do the thesis's 29 a point, and none computes a point twice or a point too many.

#include <gtest/gtest.h>

#include <atomic>

#include "kernels/heat/cpu_naive.cpp"
#include "kernels/heat/gpu_four_cubes.cu"
#include "kernels/heat/gpu_generated_borders.cu"
#include "kernels/heat/gpu_naive.cu"
#include "kernels/heat/gpu_no_shared.cu"
#include "kernels/heat/gpu_queue.cu"
#include "kernels/heat/gpu_rectangular.cu"
#include "kernels/heat/gpu_tiles_16x16.cu"
#include "kernels/heat/plane_pair.hpp"
#include "kernels/heat/row.hpp"
#include "kernels/heat/start.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::heat_tests {
namespace {

using heat::Problem;

struct Counts {
    std::atomic<long> multiplications, additions;
};
Counts counted;

/// A float that counts.
struct Counted {
    float value;
    Counted() = default;
    explicit Counted(double x) : value(static_cast<float>(x)) {}
    friend Counted operator*(Counted a, Counted b) {
        return ++counted.multiplications, Counted(a.value * b.value);
    }
    friend Counted operator+(Counted a, Counted b) { return ++counted.additions, Counted(a.value + b.value); }
    friend Counted operator-(Counted a, Counted b) { return ++counted.additions, Counted(a.value - b.value); }
    // As a row of one.
    using Value = Counted;
    static constexpr int width = 1;
    static Counted load(const Counted* from) { return *from; }
    void store(Counted* to) const { *to = *this; }
    static void prefetch(const Counted*) {}
};

// The executor exchanges numbers only; a kernel finds these by the type of what it brings.
Counted __shfl_up_sync(unsigned mask, Counted value, unsigned delta, int width = 32,
                       const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return Counted(::__shfl_up_sync(mask, value.value, delta, width, file, line));
}
Counted __shfl_down_sync(unsigned mask, Counted value, unsigned delta, int width = 32,
                         const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return Counted(::__shfl_down_sync(mask, value.value, delta, width, file, line));
}

/// Fields of a problem, and the check that a step left the answer everywhere at 29 operations a point.
struct Fields {
    Problem p;
    std::vector<Counted> beta;
    heat::Start<float> start = heat::random_start<float>(p, 1, 0.05);

    explicit Fields(int nz = 19) : p(heat::tissue(37, 29, nz)) {
        for (float b : start.beta)
            beta.emplace_back(b);
    }
    std::vector<Counted> stored(const heat::Layout& layout) const {
        std::vector<Counted> values;
        for (float t : heat::store<float>(p, layout, start.t0))
            values.emplace_back(t);
        return values;
    }
    template <class Step>
    void expect_29_a_point(const heat::Layout& layout, Step step) const {
        const auto now = stored(layout);
        auto next = now;
        counted.multiplications = counted.additions = 0;
        step(now.data(), next.data());
        const auto points = static_cast<long>(p.points());
        EXPECT_EQ(counted.multiplications, 14 * points);
        EXPECT_EQ(counted.additions, 15 * points);
        EXPECT_EQ(counted.multiplications + counted.additions, heat::flops_per_point * p.points());
        EXPECT_NE(next[layout.origin()].value, now[layout.origin()].value);
    }
};

TEST(Operations, OfTheNaiveCpuVersion) {
    const Fields f;
    f.expect_29_a_point(heat::tight_layout(f.p), [&](const Counted* now, Counted* next) {
        heat::cpu_naive(f.p, now, f.beta.data(), next, 2);
    });
}

// cpu_blocked's row and the vector versions' rows are one template, of as many points as a register holds.
TEST(Operations, OfTheRowsOfTheOtherCpuVersions) {
    const Fields f;
    const heat::Layout l = heat::tight_layout(f.p);
    f.expect_29_a_point(l, [&](const Counted* now, Counted* next) {
        const auto k = heat::coefficients<Counted>(f.p);
        for (int z = 0; z < f.p.nz; ++z)
            for (int y = 0; y < f.p.ny; ++y) {
                const std::size_t at = l.origin() + l.row() * y + l.plane() * z;
                heat::update_row<Counted, false>(k, now + at, f.beta.data() + f.p.nx * (y + f.p.ny * z),
                                                 next + at, l.row(), l.plane(), 0, f.p.nx);
            }
    });
}

// The pairs of planes of cpu_march. Of several steps only the first multiplies by dt / 12.
TEST(Operations, OfPairsOfPlanes) {
    const Fields f(18);
    const heat::Layout l = heat::tight_layout(f.p);
    const auto k = heat::coefficients<Counted>(f.p);
    f.expect_29_a_point(l, [&](const Counted* now, Counted* next) {
        for (int z = 0; z < f.p.nz; z += 2) {
            heat::PlanePair<Counted> pair{};
            const std::size_t at = l.origin() + static_cast<std::size_t>(l.plane()) * z;
            for (int i = 0; i < 6; ++i)
                pair.now[i] = now + at + static_cast<std::ptrdiff_t>(l.plane()) * (i - 2);
            for (int i = 0; i < 2; ++i) {
                pair.beta[i] = f.beta.data() + static_cast<std::size_t>(f.p.nx) * f.p.ny * (z + i);
                pair.next[i] = next + at + static_cast<std::ptrdiff_t>(l.plane()) * i;
            }
            pair.now_row = pair.next_row = l.row();
            pair.beta_row = f.p.nx;
            pair.count = f.p.nx;
            for (int y = 0; y < f.p.ny; ++y)
                heat::update_pair_row<Counted, true, false, false>(k, pair, y, 0);
        }
    });
}

using GpuCase = heat::GpuVariant<Counted>;
class GpuOperations : public testing::TestWithParam<GpuCase> {};

TEST_P(GpuOperations, AreTheThesiss) {
    const Fields f;
    const auto device = launch::host_device();
    const heat::BetaFields<Counted> beta{{0, f.beta.data(), f.p.nx, f.p.ny, f.p.nz}, f.beta.data()};
    for (const auto path : {heat::BetaPath::texture, heat::BetaPath::load})
        f.expect_29_a_point(GetParam().layout(f.p), [&](const Counted* now, Counted* next) {
            GetParam().step(device->stream(), f.p, path, beta, 1, now, next);
            device->synchronize();
        });
}

INSTANTIATE_TEST_SUITE_P(
    On, GpuOperations,
    testing::Values(heat::host::gpu_naive<Counted>(), heat::host::gpu_four_cubes<Counted>(),
                    heat::host::gpu_tiles_16x16<Counted>(), heat::host::gpu_rectangular<Counted>(),
                    heat::host::gpu_no_shared<Counted>(), heat::host::gpu_generated_borders<Counted>(),
                    heat::host::gpu_queue<Counted>()),
    [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace gridmark::heat_tests
