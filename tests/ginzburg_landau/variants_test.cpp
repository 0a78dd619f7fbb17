// Every version against the serial reference: to the last bit on the host executor, which rounds as the
// reference does, and to rounding elsewhere.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>

#include "kernels/ginzburg_landau/cpu.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/reference.hpp"
#include "kernels/ginzburg_landau/start.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::ginzburg_landau_tests {
namespace {

using ginzburg_landau::Problem;
using launch_tests::OnEach;

template <class T>
std::vector<T> unwritten(const Problem& p, int states = 1) {
    return std::vector<T>(p.values() * states, std::numeric_limits<T>::quiet_NaN());
}

/// A GPU version's answer after some steps.
template <class T>
std::vector<T> solve(launch::Device& device, const ginzburg_landau::GpuVariant<T>& variant, const Problem& p,
                     int block, const std::vector<T>& start, int steps) {
    launch::Buffer<T> now(device, std::span<const T>(start)),
        next(device, std::span<const T>(unwritten<T>(p)));
    launch::Buffer<T> scratch(device, p.values() * static_cast<std::size_t>(variant.scratch_states));
    variant.check(block);
    for (int s = 0; s < steps; ++s, now.swap(next))
        variant.step(device.stream(), p, block, now.data(), next.data(), scratch.data());
    device.synchronize();
    std::vector<T> result(p.values());
    now.download(result);
    return result;
}

/// Largest distance between two states; infinite where one is not finite.
template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = std::abs(static_cast<double>(a[i]) - b[i]);
        most = std::isfinite(apart) ? std::max(most, apart) : HUGE_VAL;
    }
    return most;
}

class Gpu : public OnEach {
  protected:
    /// Host: equal. GPU: fused multiply-adds round otherwise, a few units in the last place after few steps.
    template <class T>
    void expect_solves(int n, int block, int steps) {
        const Problem p = ginzburg_landau::medium(n);
        const auto start = ginzburg_landau::random_state<T>(p, 3);
        const auto expected = ginzburg_landau::reference_solve<T>(p, start, steps);
        for (const auto& variant : ginzburg_landau::gpu_variants<T>(device->executor())) {
            const auto got = solve(*device, variant, p, block, start, steps);
            const double bound = GetParam().gpu ? 100 * steps * std::numeric_limits<T>::epsilon() : 0;
            ASSERT_LE(distance(got, expected), bound)
                << variant.name << ", n " << n << ", block " << block << ", " << steps << " steps";
        }
    }
    template <class T>
    void check() {
        for (const int block : {9, 32, 96, 128, 256, 1000})
            for (const int n : {2, 3, 8, 9, 10, 31, 119, 120, 121, 128, 129, 247, 248, 249, 1000, 4099}) {
                if (n / (block - ginzburg_landau::overlap) > 1100) continue;
                expect_solves<T>(n, block, 2);
            }
        expect_solves<T>(1000, 96, 20);
    }
};

TEST_P(Gpu, SolvesInFloat) {
    check<float>();
}
TEST_P(Gpu, SolvesInDouble) {
    check<double>();
}
INSTANTIATE_TEST_SUITE_P(On, Gpu, testing::ValuesIn(launch_tests::all_targets()), launch_tests::target_name);

TEST(GpuVersions, RefuseBlocksThatTheyCannotRun) {
    const auto check = [](std::string_view name, int block) {
        ginzburg_landau::find_gpu_variant<float>(launch::Executor::host, name)->check(block);
    };
    for (const int block : {-1, 0, 1025}) {
        EXPECT_THROW(check("gpu_overlap8", block), std::invalid_argument);
        EXPECT_THROW(check("gpu_relaunch", block), std::invalid_argument);
    }
    EXPECT_THROW(check("gpu_overlap8", 8), std::invalid_argument);
    EXPECT_NO_THROW(check("gpu_overlap8", 9));
    EXPECT_NO_THROW(check("gpu_relaunch", 8));
}

template <class T>
void expect_cpu_solves(int n, int steps, double bound) {
    const Problem p = ginzburg_landau::medium(n);
    const auto start = ginzburg_landau::random_state<T>(p, 3);
    const auto expected = ginzburg_landau::reference_solve<T>(p, start, steps);
    const auto expect = [&](const char* name, double most, auto run) {
        auto now = start, next = unwritten<T>(p), scratch = unwritten<T>(p, 2);
        run(now.data(), next.data(), scratch.data());
        EXPECT_LE(distance(steps % 2 == 0 ? now : next, expected), most)
            << name << ", n " << n << ", " << steps << " steps";
    };
    expect("cpu_serial", 0,
           [&](T* now, T* next, T* scratch) { ginzburg_landau::cpu_serial(p, now, next, scratch, steps); });
    for (const int threads : {1, 2, 3, 5}) {
        expect("cpu_openmp", bound, [&](T* now, T* next, T* scratch) {
            ginzburg_landau::cpu_openmp(p, now, next, scratch, steps, threads);
        });
        expect("cpu_overlap", bound,
               [&](T* now, T* next, T*) { ginzburg_landau::cpu_overlap(p, now, next, steps, threads); });
    }
}

TEST(Cpu, Solves) {
    for (const int n : {2, 3, 5, 15, 16, 17, 33, 63, 100, 1000, 4099})
        for (const int steps : {1, 2, 7}) {
            expect_cpu_solves<float>(n, steps, 100 * steps * 0x1p-23);
            expect_cpu_solves<double>(n, steps, 100 * steps * 0x1p-52);
        }
}

}  // namespace
}  // namespace gridmark::ginzburg_landau_tests
