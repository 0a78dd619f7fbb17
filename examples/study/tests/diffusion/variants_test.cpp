// Every variant against the reference, from random values, at sizes that do and do not fill blocks and
// vectors.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/diffusion/cpu.hpp"
#include "kernels/diffusion/gpu.hpp"
#include "kernels/diffusion/reference.hpp"
#include "kernels/diffusion/start.hpp"

#include "tests/launch/orders.hpp"

namespace gridmark::diffusion {
namespace {

/// `step(problem, now, next)` writes a field into one that nothing was written to.
template <class T, class Step>
void expect_right(Step step) {
    constexpr int steps = 3;
    for (const int n : {2, 3, 16, 17, 255, 256, 257, 1000}) {
        const Problem p = rod(n);
        const auto start = random_start<T>(p, 1);
        auto now = start;
        for (int s = 0; s < steps; ++s) {
            std::vector<T> next(now.size(), std::numeric_limits<T>::quiet_NaN());
            step(p, now, next);
            now.swap(next);
        }
        const auto expected = reference_solve(p, {start.begin(), start.end()}, steps);
        for (int i = 0; i < n; ++i)  // no NaN is below a bound
            ASSERT_LE(std::abs(now[i] - expected[i]), rounding_bound<T>(p, steps, 1)) << i << " of " << n;
    }
}

template <class T>
void expect_cpu_right(int threads) {
    expect_right<T>([&](const Problem& p, const std::vector<T>& now, std::vector<T>& next) {
        cpu_openmp(p, now.data(), next.data(), threads);
    });
}

TEST(Cpu, IsRightWithAnyNumberOfThreads) {
    for (const int threads : {1, 2, 3, 5}) {
        expect_cpu_right<float>(threads);
        expect_cpu_right<double>(threads);
    }
}

/// On the host executor in several orders of threads, and on a GPU where there is one.
class Gpu : public launch_tests::OnEach {
  protected:
    template <class T>
    void check() {
        expect_right<T>([&](const Problem& p, const std::vector<T>& now, std::vector<T>& next) {
            const launch::Buffer<T> from(*device, std::span<const T>(now));
            launch::Buffer<T> to(*device, std::span<const T>(next));
            const auto stream = device->stream();
            GRIDMARK_SELECT(stream, gpu_plain<T>)(stream, p, from.data(), to.data());
            to.download(next);
        });
    }
};

TEST_P(Gpu, IsRight) {
    check<float>();
    check<double>();
}
INSTANTIATE_TEST_SUITE_P(On, Gpu, testing::ValuesIn(launch_tests::all_targets()), launch_tests::target_name);

}  // namespace
}  // namespace gridmark::diffusion
