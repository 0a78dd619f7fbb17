// Every version against the reference in double, on random temperatures and a beta that is random from point
// to point.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "kernels/heat/reference.hpp"
#include "tests/heat/versions.hpp"
#include "tests/launch/orders.hpp"

namespace gridmark::heat_tests {
namespace {

using launch_tests::OnEach;

constexpr double r = 0.05;

/// What a test compares with: one start and the reference's answer.
template <class T>
struct Expected {
    Problem problem;
    int steps;
    Start<T> start;
    std::vector<double> answer;
    double bound;

    Expected(int nx, int ny, int nz, int steps, const heat::Spacing& spacing = {1e-3, 1e-3, 1e-3})
        : problem(heat::tissue(nx, ny, nz, 1e-4, spacing, 37)),
          steps(steps),
          start(heat::random_start<T>(problem, 7, r)) {
        const std::vector<double> t0(start.t0.begin(), start.t0.end()),
            beta(start.beta.begin(), start.beta.end());
        answer = heat::reference_solve(problem, t0, beta, steps);
        bound = heat::rounding_bound<T>(steps, 57, r);
    }
};

template <class T>
void expect_solves(const Version<T>& version, const Expected<T>& e) {
    const Problem& p = e.problem;
    SCOPED_TRACE(version.name + " on " + std::to_string(p.nx) + "x" + std::to_string(p.ny) + "x" +
                 std::to_string(p.nz) + ", " + std::to_string(e.steps) + " steps");
    const auto solved = solve(version, p, e.start, e.steps, std::numeric_limits<T>::quiet_NaN());
    for (std::size_t n = 0; n < p.points(); ++n)
        ASSERT_LE(std::abs(static_cast<double>(solved.interior[n]) - e.answer[n]), e.bound)  // false for NaN
            << "at (" << n % p.nx << ", " << n / p.nx % p.ny << ", " << n / p.nx / p.ny
            << "): " << solved.interior[n] << " instead of " << e.answer[n];
}

/// Sizes that fit no block, sizes that fit some, and the smallest.
constexpr heat::Spacing unequal{1e-3, 1.5e-3, 0.7e-3};
constexpr std::tuple<int, int, int> sizes[] = {{37, 29, 41}, {33, 9, 17},  {64, 16, 8}, {1, 1, 1},  {2, 3, 1},
                                               {8, 8, 8},    {28, 12, 24}, {5, 40, 3},  {65, 7, 10}};

template <class T>
std::vector<Expected<T>> expectations() {
    std::vector<Expected<T>> result;
    for (const auto& [nx, ny, nz] : sizes)
        result.emplace_back(nx, ny, nz, 1);
    result.emplace_back(33, 9, 17, 2);
    result.emplace_back(33, 9, 17, 2, unequal);
    return result;
}

template <class T>
Expected<T> after_fifty_steps() {
    return {37, 29, 41, 50};
}

const auto check_cpu = []<class T>(T) {
    const auto versions = cpu_versions<T>();
    for (const auto& e : expectations<T>())
        for (const auto& version : versions)
            expect_solves(version, e);
};

const auto check_fifty = []<class T>(T) {
    const auto e = after_fifty_steps<T>();
    for (const auto& version : cpu_versions<T>()) {
        // Tiny blocks meet at a barrier every few points: two steps of them say what fifty do.
        if (version.name.find("5x3x7") != std::string::npos) continue;
        // What passes of several steps can get wrong shows below, in fewer.
        if (version.steps > 1 && version.steps != 3) continue;
        expect_solves(version, e);
    }
};

TEST(Cpu, SolvesInFloat) {
    check_cpu(0.0F);
}
TEST(Cpu, SolvesInDouble) {
    check_cpu(0.0);
}
TEST(CpuLongRun, SolvesInFloat) {
    check_fifty(0.0F);
}
TEST(CpuLongRun, SolvesInDouble) {
    check_fifty(0.0);
}

// Blocks as the program chooses them, for a small cache and for a large one.
TEST(Cpu, SolvesWithChosenBlocks) {
    const Expected<float> e(75, 50, 41, 3);
    for (const heat::Caches& caches : {heat::Caches{32 << 10, 256 << 10, 256 << 10}, {0, 0, 0}})
        for (const int threads : {1, 4}) {
            const auto blocking = heat::choose_blocking(e.problem, sizeof(float), caches, threads);
            expect_solves(blocked<float>(nullptr, blocking, threads), e);
            expect_solves(blocked<float>(&compiled_isas[0], blocking, threads), e);
        }
}

// Passes of several steps: one, two and a single step left over, on odd and even grids larger than a tile.
const auto check_several = []<class T>(T) {
    int versions = 0;
    for (const auto& version : cpu_versions<T>()) {
        if (version.steps == 1) continue;
        ++versions;
        for (const auto& [nx, ny, nz] : sizes)
            expect_solves(version, Expected<T>(nx, ny, nz, version.steps));
        expect_solves(version, Expected<T>(131, 27, 25, 2 * version.steps + 1));
        expect_solves(version, Expected<T>(33, 9, 17, version.steps, unequal));
    }
    EXPECT_GE(versions, 7);
};

TEST(Cpu, SolvesSeveralStepsAtOnceInFloat) {
    check_several(0.0F);
}
TEST(Cpu, SolvesSeveralStepsAtOnceInDouble) {
    check_several(0.0);
}

// Tiles as the program chooses them; threads whose memory comes from other tiles.
TEST(Cpu, SolvesWithChosenTiles) {
    const Expected<float> e(150, 50, 41, 4);
    std::vector<Storage<float>> memory(3);
    const Layout layout = heat::aligned_layout(e.problem, sizeof(float));
    for (const heat::Caches& caches :
         {heat::Caches{32 << 10, 256 << 10, 256 << 10}, {48 << 10, 2 << 20, 300 << 20}, {0, 0, 0}})
        for (const int threads : {1, 3, 16}) {
            const auto w = heat::choose_wavefront(e.problem, sizeof(float), caches, threads, 4);
            SCOPED_TRACE(size(w.tile));
            const auto now = heat::store<float>(e.problem, layout, e.start.t0);
            auto next = now;
            heat::cpu_wavefront(compiled_isas[0], e.problem, now.data(), e.start.beta.data(), next.data(), w,
                                memory);
            std::vector<float> last(e.problem.points());
            heat::load<float>(e.problem, layout, next.data(), last);
            for (std::size_t n = 0; n < last.size(); ++n)
                ASSERT_LE(std::abs(static_cast<double>(last[n]) - e.answer[n]), e.bound) << n;
        }
}

class Gpu : public OnEach {
  protected:
    template <class T>
    void check() {
        const auto versions = gpu_versions<T>(*device);
        ASSERT_GE(versions.size(), 15U + 7U);
        for (const auto& e : expectations<T>())
            for (const auto& version : versions)
                expect_solves(version, e);
        // Fifty steps of the host's fibers in one order say what they say in another.
        if (GetParam().name != "forward" && !GetParam().gpu) return;
        const auto e = after_fifty_steps<T>();
        for (const auto& version : versions)
            expect_solves(version, e);
    }
};

TEST_P(Gpu, SolvesInFloat) {
    check<float>();
}
TEST_P(Gpu, SolvesInDouble) {
    check<double>();
}

// Once, and twice with a single step left over; on grids of several tiles in x and y too, and of parts in z.
TEST_P(Gpu, SolvesSeveralStepsAtOnce) {
    const auto check_at_once = [&]<class T>(T) {
        int versions = 0;
        for (const auto& version : gpu_versions<T>(*device)) {
            if (version.steps == 1) continue;
            ++versions;
            for (const auto& [nx, ny, nz] : sizes)
                expect_solves(version, Expected<T>(nx, ny, nz, version.steps));
            expect_solves(version, Expected<T>(131, 67, 5, version.steps));
            expect_solves(version, Expected<T>(33, 9, 17, version.steps, unequal));
            expect_solves(version, Expected<T>(68, 35, 60, 2 * version.steps + 1));
        }
        EXPECT_GE(versions, 2);
    };
    check_at_once(0.0F);
    check_at_once(0.0);
}
INSTANTIATE_TEST_SUITE_P(On, Gpu, testing::ValuesIn(launch_tests::all_targets()), launch_tests::target_name);

TEST(GpuVersions, AreTheThesissSixAndOptimisedOnes) {
    int published = 0;
    std::set<std::string_view> names;
    for (const auto& variant : heat::gpu_variants<float>(launch::Executor::host)) {
        EXPECT_TRUE(names.insert(variant.name).second) << variant.name << " stands twice";
        published += variant.origin == launch::Origin::published;
        const auto* found = heat::find_gpu_variant<double>(launch::Executor::host, variant.name);
        ASSERT_NE(found, nullptr);
        EXPECT_EQ(found->name, variant.name);
    }
    EXPECT_EQ(published, 6);
    EXPECT_GE(names.size(), 9U);
    EXPECT_EQ(heat::find_gpu_variant<float>(launch::Executor::host, "cpu_naive"), nullptr);
}

// Each changes one choice of the thesis; the version itself is none of them.
TEST(GpuVersions, HaveTheAblationsOfTheThesissChoices) {
    std::set<std::string> found;
    for (const auto& variant : heat::gpu_variants<float>(launch::Executor::host)) {
        EXPECT_TRUE(variant.ablation.empty());
        EXPECT_EQ(heat::find_ablation(variant, ""), &variant);
        EXPECT_EQ(heat::find_ablation(variant, "other"), nullptr);
        for (const auto& ablation : variant.ablations()) {
            EXPECT_EQ(ablation.name, variant.name);
            EXPECT_EQ(heat::find_ablation(variant, ablation.ablation), &ablation);
            const bool split = ablation.ablation == "carveout_shared";
            EXPECT_EQ(ablation.carveout != variant.carveout, split) << ablation.ablation;
            EXPECT_EQ(ablation.block != variant.block, ablation.ablation.starts_with("block_rows"));
            found.insert(std::string(variant.name) + " " + std::string(ablation.ablation));
        }
    }
    EXPECT_EQ(found, (std::set<std::string>{"gpu_four_cubes shared_row_36", "gpu_no_shared block_rows_2",
                                            "gpu_no_shared block_rows_4", "gpu_no_shared block_rows_16",
                                            "gpu_no_shared block_rows_32", "gpu_no_shared carveout_shared",
                                            "gpu_generated_borders carveout_shared"}));
}

/// How many threads of a warp of four rows of 8 meet in one bank of 32, where rows lie `row` values apart.
int most_in_a_bank(int row) {
    int met[32] = {};
    for (int thread = 0; thread < 32; ++thread)
        ++met[(thread % 8 + thread / 8 * row) % 32];
    return *std::max_element(std::begin(met), std::end(met));
}

// What the padding of the four cubes' rows is for, in float. Source: thesis, section 4.7.6.
TEST(GpuVersions, MeetInBanksWithoutThePadding) {
    EXPECT_EQ(most_in_a_bank(36), 2);
    EXPECT_EQ(most_in_a_bank(40), 1);
}

template <class T>
void expect_adds(launch::Device& device) {
    const Problem p = heat::tissue(37, 21, 19);
    const auto start = heat::random_start<T>(p, 3, r), more = heat::random_start<T>(p, 4, r);
    for (const auto& variant : heat::gpu_variants<T>(device.executor())) {
        SCOPED_TRACE(variant.name);
        ASSERT_EQ(variant.add == nullptr, variant.steps_per_launch.most > 1);
        if (variant.add == nullptr) continue;
        const Layout layout = variant.layout(p);
        const auto before = heat::store<T>(p, layout, start.t0);
        auto expected = before, after = before;
        heat::add(p, layout, more.t0.data(), expected.data(), 3);
        launch::Buffer<T> stored(device, std::span<const T>(before));
        const launch::Buffer<T> added(device, more.t0);
        variant.add(device.stream(), p, layout, added.data(), stored.data());
        device.synchronize();
        stored.download(after);
        EXPECT_EQ(after, expected);
        std::vector<T> interior(p.points());
        heat::load<T>(p, layout, expected.data(), interior);
        for (std::size_t n = 0; n < interior.size(); ++n)
            ASSERT_EQ(interior[n], start.t0[n] + more.t0[n]) << n;
    }
}

// A source of heat, on the inner points alone.
TEST_P(Gpu, AddsAField) {
    expect_adds<float>(*device);
    expect_adds<double>(*device);
}

// The two layers outside keep their value without being written: a step that wrote them would do work that is
// not counted, and could hide a wrong index. A layout's filler beyond them is not written either.
template <class T>
void expect_outside_untouched(const Version<T>& version) {
    SCOPED_TRACE(version.name);
    Problem p = heat::tissue(37, 21, 19);
    const auto start = heat::random_start<T>(p, 3, r);
    const Layout layout = version.layout(p);
    const auto now = heat::store<T>(p, layout, start.t0);
    p.boundary = -5;  // a mark in `next` alone
    auto next = heat::store<T>(p, layout, start.t0);
    p.boundary = 37;
    version.several(p, now, start.beta, next);
    std::vector<bool> inside(layout.size());
    for (int z = 0; z < p.nz; ++z)
        for (int y = 0; y < p.ny; ++y)
            for (int x = 0; x < p.nx; ++x)
                inside[layout.origin() + x + static_cast<std::size_t>(layout.row()) * y +
                       static_cast<std::size_t>(layout.plane()) * z] = true;
    for (std::size_t n = 0; n < layout.size(); ++n)
        if (!inside[n]) {
            ASSERT_EQ(next[n], T(-5)) << "stored value " << n;
        }
}

TEST(Outside, IsNotWritten) {
    const auto device = launch::host_device();
    for (const auto& version : cpu_versions<float>())
        expect_outside_untouched(version);
    for (const auto& version : gpu_versions<float>(*device))
        expect_outside_untouched(version);
}

}  // namespace
}  // namespace gridmark::heat_tests
