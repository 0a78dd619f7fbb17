// gpu_persistent against the serial reference: seams of tiles in both directions, bodies across them, every
// remainder of sweeps, launch after launch, in all orders of blocks.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <stdexcept>

#include "kernels/jacobi/gpu_persistent.hpp"
#include "kernels/jacobi/reference.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::jacobi_tests {
namespace {

using jacobi::Kind;
using jacobi::Problem;

class Persistent : public launch_tests::OnEach {
  protected:
    template <class T>
    std::vector<T> random_field(const Problem& p, unsigned seed) {
        std::mt19937 engine(seed);
        std::uniform_real_distribution<T> uniform(-1, 1);
        std::vector<T> field(static_cast<std::size_t>(p.nx) * p.ny);
        for (T& value : field)
            value = uniform(engine);
        return field;
    }

    /// Expects launches of so many sweeps each to give the reference's answer and to leave fixed points
    /// alone.
    template <class T>
    void expect_solves(const Problem& p, const std::vector<int>& launches) {
        SCOPED_TRACE(std::to_string(p.nx) + "x" + std::to_string(p.ny) + ", first " +
                     std::to_string(launches.front()));
        const auto& version = *jacobi::gpu_persistent<T>(device->executor());
        const auto psi = random_field<T>(p, 1), omega = random_field<T>(p, 2);
        std::vector<T> poisoned(psi);
        for (std::size_t k = 0; k < psi.size(); ++k)
            if (kind(p, static_cast<int>(k % p.nx), static_cast<int>(k / p.nx)) != Kind::fixed)
                poisoned[k] = std::numeric_limits<T>::quiet_NaN();
        launch::Buffer<T> now(*device, std::span<const T>(psi)), next(*device, std::span<const T>(poisoned));
        const launch::Buffer<T> source(*device, std::span<const T>(omega));
        launch::Buffer<unsigned char> scratch(*device, std::vector<unsigned char>(version.scratch_bytes(p)));
        int sweeps = 0;
        for (const int count : launches) {
            version.sweeps(device->stream(), p, count, now.data(), source.data(), next.data(),
                           scratch.data());
            now.swap(next);
            sweeps += count;
        }
        std::vector<T> got(psi.size());
        now.download(got);
        const auto expected =
            jacobi::reference_solve(p, std::vector<double>(psi.begin(), psi.end()),
                                    std::vector<double>(omega.begin(), omega.end()), sweeps);
        const double bound =
            jacobi::rounding_bound<T>(sweeps, 1, std::abs(jacobi::coefficients<double>(p).c));
        for (std::size_t k = 0; k < got.size(); ++k)
            ASSERT_LE(std::abs(static_cast<double>(got[k]) - expected[k]), bound)  // false for NaN
                << "at (" << k % p.nx << ", " << k / p.nx << ")";
    }

    static Problem channel(int nx, int ny) {
        Problem p = jacobi::channel(nx, ny);
        p.hx = 0.9;
        p.hy = 0.7;
        return p;
    }
};

TEST_P(Persistent, SolvesOnOddSizes) {
    for (const auto& [nx, ny] : {std::pair{3, 3}, {64, 48}, {65, 49}, {103, 61}, {41, 130}, {200, 33}}) {
        expect_solves<float>(channel(nx, ny), {1});
        expect_solves<float>(channel(nx, ny), {25, 12, 2});
        expect_solves<double>(channel(nx, ny), {13, 26});
    }
}

TEST_P(Persistent, SolvesAroundBodiesOnSeams) {
    Problem p = channel(117, 75);
    for (const jacobi::Body body :
         {jacobi::Body{0, 5, 3, 20}, {110, 0, 116, 9}, {40, 30, 52, 40}, {51, 0, 52, 74}, {0, 0, -1, -1}}) {
        p.body = body;
        expect_solves<float>(p, {30, 7});
    }
}

TEST_P(Persistent, RefusesWhatDoesNotFit) {
    const auto& version = *jacobi::gpu_persistent<double>(device->executor());
    EXPECT_NO_THROW(version.check(channel(150, 90)));
    EXPECT_THROW(version.check(channel(1 << 14, 1 << 14)), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(On, Persistent, testing::ValuesIn(launch_tests::all_targets()),
                         launch_tests::target_name);

}  // namespace
}  // namespace gridmark::jacobi_tests
