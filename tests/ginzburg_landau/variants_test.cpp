// Every version against the serial reference after a few steps: within the rounding bound of the one in
// double, and to the last bit like the one of its own type where no multiply-add is fused.

#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/ginzburg_landau/start.hpp"
#include "tests/ginzburg_landau/versions.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::ginzburg_landau_tests {
namespace {

using launch_tests::OnEach;

/// Expects a few steps of the versions to be right, from random values.
template <class T>
void expect_right(const std::vector<Version<T>>& versions, int n, int steps) {
    const Problem p = ginzburg_landau::medium(n);
    const auto start = ginzburg_landau::random_state<T>(p, 3, 0.5);
    const auto same = ginzburg_landau::reference_solve<T>(p, start, steps);
    double largest = 0;
    const auto exact = ginzburg_landau::reference_solve<double>(
        p, std::vector<double>(start.begin(), start.end()), steps, &largest);
    const double bound = ginzburg_landau::rounding_bound<T>(p, steps, largest);
    for (const Version<T>& version : versions) {
        const auto got = version.solve(p, start, steps);
        ASSERT_LE(distance(got, exact), bound) << version.name << ", n " << n << ", " << steps << " steps";
        if (!version.fuses) {
            ASSERT_EQ(distance(got, same), 0) << version.name << ", n " << n << ", " << steps << " steps";
        }
    }
}

class Gpu : public OnEach {
  protected:
    template <class T>
    void check() {
        for (const int block : {9, 32, 96, 128, 256, 1000})
            for (const int n : {2, 3, 8, 9, 10, 31, 119, 120, 121, 128, 129, 247, 248, 249, 1000})
                if (n / (block - ginzburg_landau::overlap) < 200)
                    expect_right<T>(gpu_versions<T>(*device, block), n, 2);
        expect_right<T>(gpu_versions<T>(*device, 96), 1000, 3);
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
        const Problem p = ginzburg_landau::medium(100);
        ginzburg_landau::find_gpu_variant<float>(launch::Executor::host, name)->check(p, block);
    };
    for (const int block : {-1, 0, 1025}) {
        EXPECT_THROW(check("gpu_overlap8", block), std::invalid_argument);
        EXPECT_THROW(check("gpu_relaunch", block), std::invalid_argument);
    }
    EXPECT_THROW(check("gpu_overlap8", 8), std::invalid_argument);
    EXPECT_NO_THROW(check("gpu_overlap8", 9));
    EXPECT_NO_THROW(check("gpu_relaunch", 8));
}

TEST(CpuVersions, Solve) {
    for (const int n : {2, 3, 5, 15, 16, 17, 33, 63, 100, 1000, 4099})
        for (const int steps : {1, 2, 3}) {
            expect_right(cpu_versions<float>(), n, steps);
            expect_right(cpu_versions<double>(), n, steps);
        }
}

}  // namespace
}  // namespace gridmark::ginzburg_landau_tests
