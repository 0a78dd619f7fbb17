// Every version against the serial reference after a few steps: within the rounding bound of the one in
// double, and to the last bit like the one of its own type where no multiply-add is fused.

#include <gtest/gtest.h>

#include <stdexcept>

#include "kernels/ginzburg_landau/problem.hpp"
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
        EXPECT_THROW(check("gpu_overlap8_listing", block), std::invalid_argument);
        EXPECT_THROW(check("gpu_relaunch", block), std::invalid_argument);
        EXPECT_THROW(check("gpu_grid_barrier", block), std::invalid_argument);
    }
    for (const char* name : {"gpu_overlap8", "gpu_overlap8_listing"}) {
        EXPECT_THROW(check(name, 8), std::invalid_argument);
        EXPECT_NO_THROW(check(name, 9));
    }
    EXPECT_NO_THROW(check("gpu_relaunch", 8));
    EXPECT_NO_THROW(check("gpu_grid_barrier", 8));
}

/// The listing's right-hand side, in its order of operations.
template <class T>
std::vector<T> listed_rates(const Problem& p, const std::vector<T>& s) {
    const T d = static_cast<T>(p.d), a = static_cast<T>(p.a), b = static_cast<T>(p.b);
    std::vector<T> rates(s.size());
    for (int i = 0; i < p.n; ++i) {
        const T *const u = &s[i], *const v = &s[p.n + i];
        const T norm = *u * *u + *v * *v;
        T lu, lv, after;  // what D multiplies of u and of v, and the latter after -A times the former
        if (i == 0) {
            lu = u[1] - *u, lv = v[1] - *v, after = -a * lu + v[1] - *v;
        } else if (i == p.n - 1) {
            lu = u[-1] - *u, lv = v[-1] - *v, after = -a * lu + v[-1] - *v;
        } else {
            lu = u[1] + u[-1] - 2 * *u, lv = v[1] + v[-1] - 2 * *v;
            after = -a * lu + v[1] + v[-1] - 2 * *v;
        }
        rates[i] = d * (lu + a * lv) + *u - norm * (*u - b * *v);
        rates[p.n + i] = d * after + *v - norm * (b * *u + *v);
    }
    return rates;
}

/// The listing's step on whole arrays.
template <class T>
std::vector<T> listed_step(const Problem& p, const std::vector<T>& y) {
    const T step = static_cast<T>(p.dt);
    const auto stage = [&](const std::vector<T>& k, T weight) {
        std::vector<T> s(y.size());
        for (std::size_t i = 0; i < y.size(); ++i)
            s[i] = y[i] + step * k[i] * weight;
        return s;
    };
    const auto k1 = listed_rates(p, y), k2 = listed_rates(p, stage(k1, T(0.5))),
               k3 = listed_rates(p, stage(k2, T(0.5))), k4 = listed_rates(p, stage(k3, T(1)));
    std::vector<T> sum(y.size());
    for (std::size_t i = 0; i < y.size(); ++i)
        sum[i] = k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i];
    for (std::size_t i = 0; i < y.size(); ++i)
        sum[i] = y[i] + step * sum[i] * T(1.0 / 6);
    return sum;
}

// gpu_overlap8_listing does what the listing says to the last bit, whatever its blocks share.
TEST(Listing, IsTakenLiterally) {
    const auto device = launch::host_device({launch::HostOptions::Order::random, 1});
    const auto check = [&]<class T>(T) {
        for (const int n : {2, 9, 129, 500}) {
            const Problem p = ginzburg_landau::medium(n, 0.07, 0.8, -0.6, 0.9);
            auto expected = ginzburg_landau::random_state<T>(p, 3, 0.5);
            const auto start = expected;
            for (int step = 0; step < 5; ++step)
                expected = listed_step(p, expected);
            for (const auto& version : gpu_versions<T>(*device, 32))
                if (version.name.starts_with("gpu_overlap8_listing")) {
                    EXPECT_EQ(distance(version.solve(p, start, 5), expected), 0) << n;
                }
        }
    };
    check(0.0F);
    check(0.0);
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
