// Implicit heat in two and three dimensions: the reference by its sines, all versions by the reference.

#include "kernels/pyramid/box.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

#include "kernels/pyramid/box_out_of_core.hpp"
#include "kernels/random.hpp"
#include "tests/launch/orders.hpp"
#include "tests/support/late_device.hpp"

namespace gridmark::pyramid_tests {
namespace {

using launch_tests::OnEach;
using pyramid::Box;

const std::vector<Box> boxes{{37, 29, 23, 1}, {130, 7, 5, 1},     {1, 1, 1, 1},
                             {2, 3, 4, 10},   {33, 65, 17, 0.01}, {64, 5, 70, 30},
                             {5, 300, 2, 3},  {150, 41, 1, 1, 2}, {17, 200, 1, 20, 2}};

std::vector<double> random_box(const Box& box) {
    std::vector<double> u(box.size());
    for (std::size_t i = 0; i < u.size(); ++i)
        u[i] = 2 * unit_random(11, i) - 1;
    return u;
}

std::vector<double> sines(const Box& box, int mx, int my, int mz) {
    const auto at = [](int m, std::size_t i, std::size_t n) {
        return std::sin(m * std::numbers::pi * (static_cast<double>(i) + 1) / (static_cast<double>(n) + 1));
    };
    std::vector<double> u;
    for (std::size_t z = 0; z < box.nz; ++z)
        for (std::size_t y = 0; y < box.ny; ++y)
            for (std::size_t x = 0; x < box.nx; ++x)
                u.push_back(at(mx, x, box.nx) * at(my, y, box.ny) *
                            (box.dimensions == 3 ? at(mz, z, box.nz) : 1));
    return u;
}

template <class A, class B>
double difference(const A& a, const B& b) {
    double error = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        error = std::isfinite(apart) ? std::max(error, apart) : HUGE_VAL;
    }
    return error;
}

TEST(BoxReference, MultipliesSinesByTheirFactor) {
    for (const Box& box : boxes)
        for (const auto& [mx, my, mz] : {std::tuple{1, 1, 1}, {2, 1, 3}}) {
            const auto u = sines(box, mx, my, mz), v = pyramid::reference_box(box, u, 5);
            const double factor = std::pow(pyramid::box_sine_factor(box, mx, my, mz), 5);
            for (std::size_t i = 0; i < u.size(); ++i)
                ASSERT_NEAR(v[i], factor * u[i], 1e-12);
        }
}

// Against the equation on the same mesh, which multiplies a sine by exp(-4 s (sum of sin^2)) in a step's
// time.
TEST(BoxReference, HasSecondOrderInTime) {
    const auto error = [](int steps) {
        const Box box{21, 17, 15, 8.0 / steps};
        const auto u = sines(box, 2, 1, 3), v = pyramid::reference_box(box, u, steps);
        double rate = 0;
        for (const auto& [m, n] : {std::pair{2, 21}, {1, 17}, {3, 15}})
            rate += std::pow(std::sin(m * std::numbers::pi / (2 * (n + 1))), 2);
        return std::abs(v[100] / u[100] - std::exp(-4 * 8.0 * rate));
    };
    EXPECT_NEAR(error(20) / error(40), 4, 0.05);
    EXPECT_NEAR(error(40) / error(80), 4, 0.02);
}

// What one value becomes, along an axis: the sum of its sizes is what steps may make of a largest value.
TEST(BoxGrowth, IsNotLessThanSteps) {
    for (const double s : {0.3, 1.5, 1.6, 10.0, 300.0})
        for (const int steps : {1, 2, 7}) {
            constexpr std::size_t n = 801;
            const Box box{n, 1, 1, s, 2};
            std::vector<double> u(n, 0.0);
            u[n / 2] = 1;
            double sum = 0;
            for (const double value : pyramid::reference_box(box, u, steps))
                sum += std::abs(value);
            const double along_y = std::pow(std::abs((1 - s) / (1 + s)), steps);  // a row's only value
            const double growth = std::sqrt(pyramid::box_growth(box));
            EXPECT_LE(sum / along_y, growth * (1 + 1e-9)) << "s " << s << ", " << steps << " steps";
            if (s <= 1.5) {
                EXPECT_EQ(growth, 1);
            }
        }
}

TEST(BoxReference, RefusesWhatIsNoBox) {
    EXPECT_THROW(pyramid::box_of(0, 1, 1, 1, 3), std::invalid_argument);
    EXPECT_THROW(pyramid::box_of(1, 1, 2, 1, 2), std::invalid_argument);
    EXPECT_THROW(pyramid::box_of(1, 1, 1, 0, 3), std::invalid_argument);
    EXPECT_THROW(pyramid::box_of(1, 1, 1, std::nan(""), 3), std::invalid_argument);
}

template <class T>
std::vector<T> rounded(const std::vector<double>& u) {
    return {u.begin(), u.end()};
}

template <class T>
void expect_cpu_steps() {
    for (const Box& box : boxes)
        for (const int threads : {1, 3}) {
            auto u = rounded<T>(random_box(box));
            const auto expected = pyramid::reference_box(box, {std::vector<double>(u.begin(), u.end())}, 4);
            for (int k = 0; k < 4; ++k)
                pyramid::cpu_box<T>(box, u, threads);
            EXPECT_LE(difference(u, expected), pyramid::box_rounding_bound<T>(box, 4))
                << box.nx << " x " << box.ny;
        }
}

TEST(BoxCpu, StepsAsTheReference) {
    expect_cpu_steps<float>();
    expect_cpu_steps<double>();
}

class BoxSweeps : public OnEach {
  protected:
    template <class T>
    void expect_steps() {
        for (const Box& box : boxes) {
            const auto& kernels = *pyramid::box_kernels<T>(device->executor());
            const auto sweep = pyramid::axis_solve_of<T>(box.s, std::numeric_limits<T>::epsilon() / 8);
            if (!kernels.unavailable_reason(sweep.reach).empty()) {
                EXPECT_GT(box.s, 4);
                continue;
            }
            const auto start = rounded<T>(random_box(box));
            const auto expected =
                pyramid::reference_box(box, std::vector<double>(start.begin(), start.end()), 3);
            launch::Buffer<T> u(*device, std::span<const T>(start));
            const pyramid::Ring<T> ring{u.data(), box.nx, box.ny, box.nz};
            for (int k = 0; k < 3; ++k) {
                kernels.sweep_x(device->stream(), sweep, ring, {0, box.nz});
                kernels.sweep_y(device->stream(), sweep, ring, {0, box.nz});
                if (box.dimensions == 3)
                    kernels.sweep_z(device->stream(), sweep, ring, {{0, box.nz}, 0, nullptr, nullptr});
            }
            device->synchronize();
            std::vector<T> got(start.size());
            u.download(got);
            EXPECT_LE(difference(got, expected), pyramid::box_rounding_bound<T>(box, 3))
                << box.nx << " x " << box.ny << " x " << box.nz << ", s " << box.s;
        }
    }
};

TEST_P(BoxSweeps, StepAsTheReferenceInFloat) {
    expect_steps<float>();
}
TEST_P(BoxSweeps, StepAsTheReferenceInDouble) {
    expect_steps<double>();
}
/// Passes of time skewing, over slabs of which each parameter cuts differently.
struct SlabCut {
    int height;
    std::size_t reach, depth;
};

TEST_P(BoxSweeps, StreamByTimeSkewing) {
    const auto& kernels = *pyramid::box_kernels<double>(device->executor());
    for (const Box& box : {Box{5, 7, 61, 1}, Box{33, 3, 23, 1}, Box{4, 5, 9, 0.5}, Box{2, 2, 1, 1}})
        for (const SlabCut& cut :
             {SlabCut{1, 24, 4}, {3, 24, 1}, {3, 24, 10}, {5, 24, 29}, {2, 30, 3}, {7, 25, 64}}) {
            const double share = 1e-13;
            auto sweep = pyramid::axis_solve_of<double>(box.s, share);
            ASSERT_LE(static_cast<std::size_t>(sweep.reach), cut.reach);
            sweep.reach = static_cast<int>(cut.reach);
            ASSERT_EQ(kernels.unavailable_reason(sweep.reach), "");
            const pyramid::Skew skew{cut.depth, cut.height, cut.reach};
            launch::Buffer<double> memory(*device, skew.device_values(box));
            device->fill_bytes(memory.data(), 0xff, memory.size() * sizeof(double));
            launch::Pinned<double> u(*device, box.size());
            const auto start = random_box(box);
            std::copy(start.begin(), start.end(), u.span().begin());
            const auto driver =
                pyramid::skewed_box<double>(*device, kernels, box, sweep, skew, memory.data());
            const int steps = 2 * cut.height + (cut.height > 1 ? 1 : 0);
            for (int left = steps; left > 0; left -= cut.height)
                driver->pass(u.span(), std::min(left, cut.height));
            EXPECT_LE(difference(u.span(), pyramid::reference_box(box, start, steps)), 1e-12)
                << box.nz << " layers, " << cut.height << " steps, reach " << cut.reach << ", depth "
                << cut.depth;
            const int passes = (steps + cut.height - 1) / cut.height;
            EXPECT_EQ(driver->moved().up, passes * box.size() * sizeof(double));
            EXPECT_EQ(driver->moved().down, driver->moved().up);
        }
}

TEST(Skew, LeavesOutTheShareThatItMay) {
    // Ones in the middle of wide layers, where they stay.
    const auto device = launch::host_device();
    const Box box{40, 40, 50, 1};
    constexpr double share = 1e-4;
    constexpr int steps = 3;
    const auto sweep = pyramid::axis_solve_of<double>(box.s, share);
    const pyramid::Skew skew{20, steps, static_cast<std::size_t>(sweep.reach)};
    launch::Buffer<double> memory(*device, skew.device_values(box));
    launch::Pinned<double> u(*device, box.size());
    const std::vector<double> ones(box.size(), 1);
    std::copy(ones.begin(), ones.end(), u.span().begin());
    pyramid::skewed_box<double>(*device, *pyramid::box_kernels<double>(launch::Executor::host), box, sweep,
                                skew, memory.data())
        ->pass(u.span(), steps);
    const double error = difference(u.span(), pyramid::reference_box(box, ones, steps));
    EXPECT_LE(error, steps * share);
    EXPECT_GE(error, share / 10) << "the reach is longer than it must be";
}

/// The host's sweeps, as late as the copies.
pyramid::BoxKernels<double> late_kernels() {
    using pyramid::AxisSolve, pyramid::Layers, pyramid::Ring, pyramid::Window, tests::LateDevice;
    static const auto& host = *pyramid::box_kernels<double>(launch::Executor::host);
    auto late = host;
    late.sweep_x = [](launch::Stream stream, const AxisSolve<double>& sweep, const Ring<double>& ring,
                      Layers layers) {
        LateDevice::put(stream, [=] { host.sweep_x(stream, sweep, ring, layers); });
    };
    late.sweep_y = [](launch::Stream stream, const AxisSolve<double>& sweep, const Ring<double>& ring,
                      Layers layers) {
        LateDevice::put(stream, [=] { host.sweep_y(stream, sweep, ring, layers); });
    };
    late.sweep_z = [](launch::Stream stream, const AxisSolve<double>& sweep, const Ring<double>& ring,
                      const Window<double>& window) {
        LateDevice::put(stream, [=] { host.sweep_z(stream, sweep, ring, window); });
    };
    return late;
}

TEST(Skew, WaitsForWhatItNeeds) {
    const auto kernels = late_kernels();
    const Box box{3, 2, 90, 1};
    const auto start = random_box(box), expected = pyramid::reference_box(box, start, 4);
    const auto sweep = pyramid::axis_solve_of<double>(box.s, 1e-9);
    for (const std::size_t depth : {11UL, 200UL})
        for (const unsigned early : {0U, 1U, 2U, 4U}) {  // bits: sending, computing, fetching
            tests::LateDevice device(early);
            const pyramid::Skew skew{depth, 2, static_cast<std::size_t>(sweep.reach)};
            launch::Buffer<double> memory(device, skew.device_values(box));
            launch::Pinned<double> u(device, box.size());
            std::copy(start.begin(), start.end(), u.span().begin());
            const auto driver = pyramid::skewed_box<double>(device, kernels, box, sweep, skew, memory.data());
            driver->pass(u.span(), 2);
            driver->pass(u.span(), 2);
            EXPECT_LE(difference(u.span(), expected), 1e-8) << "depth " << depth << ", early " << early;
        }
}

TEST(Skew, TakesTheDeepestSlabsThatFit) {
    const Box box{10, 10, 1000, 1};
    EXPECT_TRUE(pyramid::skew_for(box, 4, 12, box.size()).is_whole);
    for (const std::size_t layers : {55UL, 56UL, 100UL, 333UL}) {
        const auto skew = pyramid::skew_for(box, 4, 12, layers * box.layer());
        EXPECT_LE(skew.device_values(box), layers * box.layer());
        EXPECT_GT((pyramid::Skew{skew.depth + 1, 4, 12}).device_values(box), layers * box.layer());
    }
    EXPECT_THROW(pyramid::skew_for(box, 4, 12, 54 * box.layer()), std::invalid_argument);
    EXPECT_THROW(pyramid::skew_for({100, 100, 1, 1, 2}, 4, 12, 9999), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(On, BoxSweeps, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

}  // namespace
}  // namespace gridmark::pyramid_tests
