// How maxwell's versions are verified and timed.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "experiments/maxwell/case.hpp"
#include "experiments/maxwell/work.hpp"
#include "kernels/launch/host_device.hpp"
#include "kernels/maxwell/cpu.hpp"
#include "tests/support/counting_device.hpp"
#include "tests/support/faulty_device.hpp"

namespace gridmark::studies_tests::maxwell_study {
namespace {

using maxwell::Part;

/// The CPU's version but for one value, which is off by a little or not a number.
class AllButOne final : public maxwell::Solver<float> {
  public:
    AllButOne(std::unique_ptr<maxwell::Solver<float>> right, int component, int x, std::size_t at, float off)
        : right_(std::move(right)), component_(component), x_(x), at_(at), off_(off) {}
    void set_plane(int component, int x, const float* values) override {
        right_->set_plane(component, x, values);
    }
    void get_plane(int component, int x, float* values) override {
        right_->get_plane(component, x, values);
        if (component == component_ && x == x_) values[at_] += off_;
    }
    float value(int component, int x, int y, int z) override { return right_->value(component, x, y, z); }
    void steps(int count) override { right_->steps(count); }

  private:
    std::unique_ptr<maxwell::Solver<float>> right_;
    int component_, x_;
    std::size_t at_;
    float off_;
};

class MaxwellVerification : public testing::Test {
  protected:
    static constexpr int n = 20;
    std::shared_ptr<const maxwell::Case<float>> host = maxwell::shared_case<float>(n, 1);
    std::unique_ptr<maxwell::Solver<float>> right() {
        return maxwell::cpu_openmp<float>(host->problem, host->coefficients, 2);
    }
};

TEST_F(MaxwellVerification, PassesWhatIsRight) {
    const auto done = maxwell::verify(*host, *right());
    EXPECT_TRUE(done.passed()) << done.error;
    EXPECT_GT(done.error, 0);  // it is float against double
    EXPECT_LT(done.tolerance, 0.01);
    EXPECT_EQ(done.steps, 3);
}

// What rounding may do in so many steps is more than any field has: every bit counts.
TEST_F(MaxwellVerification, AfterMoreStepsFindsTheLeastError) {
    host = maxwell::shared_case<float>(n, 1, maxwell::Scene::random, 40);
    const auto done = maxwell::verify(*host, *right());
    EXPECT_EQ(done.error, 0);
    EXPECT_EQ(done.tolerance, 0);
    EXPECT_EQ(done.steps, 40);
    EXPECT_GT(*done.scale, 0.1);
    EXPECT_TRUE(done.can_fail());
    AllButOne off(right(), 2, 7, 99, 1e-6F);
    EXPECT_FALSE(maxwell::verify<float>(*host, off).passed());
}

TEST_F(MaxwellVerification, FindsAnyOneWrongValue) {
    const std::size_t plane = (n + 1) * (n + 1);
    for (int component = 0; component < maxwell::components; ++component)
        for (const int x : {0, 7, n})
            for (const std::size_t at : {std::size_t{0}, plane / 2, plane - 1}) {
                AllButOne off(right(), component, x, at, 0.05F);
                EXPECT_FALSE(maxwell::verify<float>(*host, off).passed());
                AllButOne nan(right(), component, x, at, std::numeric_limits<float>::quiet_NaN());
                EXPECT_FALSE(maxwell::verify<float>(*host, nan).passed());
            }
}

TEST(MaxwellWork, EveryVersionIsVerifiedAndGoesOn) {
    static const auto device = launch::host_device();  // outlives what is kept for the last case
    std::vector<std::unique_ptr<harness::Work>> works;
    works.push_back(maxwell::cpu_work<double>("cpu_openmp", 17, 2, 3));
    for (const char* variant : {"cpu_plain", "cpu_plain_lookup"})
        works.push_back(maxwell::cpu_work<float>(variant, 17, 2, 3));
    works.push_back(maxwell::in_core_work<float>(*device, "gpu_in_core_lookup", 17, 3));
    works.push_back(maxwell::in_core_work<float>(*device, "gpu_in_core", 17, 3,
                                                 {.alignment = maxwell::unaligned, .threads = 2}));
    works.push_back(
        maxwell::in_core_work<float>(*device, "gpu_single_pass", 17, 3, {.scene = maxwell::Scene::aircraft}));
    for (const char* variant : {"gpu_in_core", "gpu_in_core_concurrent", "gpu_in_core_host_faces",
                                "gpu_in_core_fused", "gpu_single_pass", "gpu_single_pass_indexed"})
        works.push_back(maxwell::in_core_work<double>(*device, variant, 17, 3));
    for (const auto& [variant, buffers] :
         {std::pair{"gpu_streamed_pageable", 1}, {"gpu_streamed", 1}, {"gpu_streamed_overlapped", 3}})
        for (const Part part : {Part::whole, Part::transfers, Part::kernels})
            works.push_back(maxwell::streamed_work<double>(*device, variant, 17,
                                                           maxwell::Slabs{17, 4, buffers}, part, 2, 3));
    for (const char* variant : {"gpu_streamed_skewed", "gpu_streamed_skewed_indexed"})
        for (const Part part : {Part::whole, Part::transfers, Part::kernels})
            works.push_back(maxwell::streamed_work<double>(*device, variant, 17,
                                                           maxwell::TimeSkew{17, 11, 2, 4}, part, 2, 3));
    for (const auto& work : works) {
        const auto done = work->verify();
        EXPECT_TRUE(done.passed()) << done.error;
        work->iterate(2);
    }
    EXPECT_EQ(works.back()->verify().steps, 4 + 1) << "a pass and a step";
}

TEST(MaxwellWork, StreamedByAKernelThatDoesNothingIsWrong) {
    static tests::FaultyDevice device;
    for (const auto& [variant, buffers] :
         {std::pair{"gpu_streamed_pageable", 1}, {"gpu_streamed", 1}, {"gpu_streamed_overlapped", 3}})
        for (const auto kernel : {tests::Faults::Kernel::null, tests::Faults::Kernel::copying}) {
            device.set({.kernel = kernel});
            const auto work = maxwell::streamed_work<double>(
                device, variant, 17, maxwell::Slabs{17, 4, buffers}, Part::whole, 2, 3);
            EXPECT_FALSE(work->verify().passed()) << variant;
            EXPECT_GT(device.launches(), 0);
        }
    for (const auto kernel : {tests::Faults::Kernel::null, tests::Faults::Kernel::copying}) {
        device.set({.kernel = kernel});
        const auto work = maxwell::streamed_work<double>(device, "gpu_streamed_skewed", 17,
                                                         maxwell::TimeSkew{17, 11, 2, 4}, Part::whole, 2, 3);
        EXPECT_FALSE(work->verify().passed());
    }
}

// A case and what versions make of its coefficients can be most of the host's memory: two of them do not fit.
TEST(MaxwellWork, KeepsWhatItMadeOfOneCaseAlone) {
    static tests::CountingDevice device;  // outlives what is kept for the last case
    const auto held = [](int n) {
        constexpr std::uint64_t seed = 77;  // no other test's
        maxwell::in_core_work<double>(device, "gpu_single_pass", n, seed);
        maxwell::streamed_work<double>(device, "gpu_streamed_skewed", n, maxwell::TimeSkew{n, 11, 2, 4},
                                       Part::whole, 2, seed);
        return device.held();
    };
    const auto first = held(17);
    EXPECT_GT(first, 2 * 17 * 17 * 17 * sizeof(double) * 9) << "nothing is kept";
    EXPECT_LT(held(18), 1.5 * first) << "the first one's too";
}

// The paper's way: ordinary memory, and copies that are waited for; they move the bytes that are declared.
TEST(MaxwellWork, PageableMemoryIsNotPinned) {
    static tests::CountingDevice device;
    const maxwell::Slabs slabs{15, 4, 1};
    const auto declared =
        maxwell::traffic<double>(maxwell::make_layout<double>(maxwell::uniform_grid(15, 15, 15)), slabs);
    for (const bool pageable : {true, false}) {
        const std::size_t pinned = device.pinned;
        const auto work = maxwell::streamed_work<double>(
            device, pageable ? "gpu_streamed_pageable" : "gpu_streamed", 15, slabs, Part::whole, 2, 78);
        const std::size_t up = device.up, down = device.down, waited_up = device.waited_up,
                          waited_down = device.waited_down;
        work->iterate(1);
        EXPECT_EQ(device.pinned > pinned, !pageable);
        const double moved_up = static_cast<double>(pageable ? device.waited_up - waited_up : device.up - up);
        const double moved_down =
            static_cast<double>(pageable ? device.waited_down - waited_down : device.down - down);
        EXPECT_EQ(moved_up, declared.uploaded);
        EXPECT_EQ(moved_down, declared.downloaded);
        EXPECT_EQ(pageable ? device.up - up : device.waited_up - waited_up, 0U);
    }
}

TEST(MaxwellCase, MeasuresABodyThatKeepsOffTheBoundary) {
    const auto host = maxwell::shared_case<double>(9, 5);
    const maxwell::Layout& l = host->coefficients.layout;
    int filled = 0;
    for (int x = 0; x < l.n[0]; ++x)
        for (int y = 0; y < l.n[1]; ++y)
            for (int z = 0; z < l.n[2]; ++z) {
                const std::size_t i = x * l.plane() + static_cast<std::size_t>(y) * l.pitch + z;
                const bool is_vacuum = host->coefficients.eps[0][i] == 1 && host->coefficients.mu[1][i] == 1;
                const auto at_end = [&](int axis, int k) { return k == 0 || k == l.n[axis] - 1; };
                if (at_end(0, x) || at_end(1, y) || at_end(2, z))
                    EXPECT_TRUE(is_vacuum);
                else
                    filled += !is_vacuum;
            }
    EXPECT_GT(filled, 200);
}

TEST(MaxwellCase, IsKeptWhileOthersAreAskedFor) {
    const auto first = maxwell::shared_case<float>(9, 1);
    const auto other = maxwell::shared_case<float>(10, 1);
    EXPECT_NE(maxwell::shared_case<float>(9, 2), first) << "another seed";
    EXPECT_NE(maxwell::shared_case<float>(9, 1, maxwell::Scene::aircraft), first) << "another body";
    EXPECT_NE(maxwell::shared_case<float>(9, 1, maxwell::Scene::random, 4), first) << "more steps";
    EXPECT_EQ(maxwell::shared_case<float>(9, 1), first);
    EXPECT_EQ(maxwell::shared_case<float>(10, 1), other);
    EXPECT_EQ(other->size.nx, 10);
}

TEST(MaxwellVersion, IsWhatItsNameSays) {
    EXPECT_EQ(maxwell::version_of("gpu_in_core").buffers, 0);
    EXPECT_EQ(maxwell::version_of("gpu_streamed").kernels, "gpu_in_core") << "the paper's six";
    EXPECT_EQ(maxwell::version_of("gpu_single_pass").kernels, "gpu_single_pass");
    EXPECT_EQ(maxwell::version_of("gpu_streamed").buffers, 1);
    EXPECT_EQ(maxwell::version_of("gpu_streamed").memory, maxwell::HostMemory::pinned);
    EXPECT_EQ(maxwell::version_of("gpu_streamed_pageable").kernels, "gpu_in_core") << "the paper's six";
    EXPECT_EQ(maxwell::version_of("gpu_streamed_pageable").memory, maxwell::HostMemory::pageable);
    EXPECT_EQ(maxwell::version_of("gpu_streamed_overlapped").kernels, "gpu_in_core_fused");
    EXPECT_EQ(maxwell::version_of("gpu_streamed_overlapped").buffers, 3);
    EXPECT_EQ(maxwell::version_of("gpu_streamed_skewed").kernels, "gpu_single_pass");
    EXPECT_TRUE(maxwell::version_of("gpu_streamed_skewed_indexed").skewed);
    EXPECT_FALSE(maxwell::version_of("gpu_streamed_overlapped").skewed);
    EXPECT_EQ(maxwell::version_of("cpu_openmp").kernels, "");
}

}  // namespace
}  // namespace gridmark::studies_tests::maxwell_study
