// What becomes of a variant before it is measured: made, checked, or the reason why not.

#include "harness/run/prepared.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <stdexcept>

#include "harness/run/request.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {
namespace {

/// Gives this answer.
class Answer final : public Work {
  public:
    explicit Answer(Verification verification) : verification_(std::move(verification)) {}
    Verification verify() override { return verification_; }
    void iterate(int) override {}
    std::optional<launch::KernelInfo> kernel_info() const override { return launch::KernelInfo{7, 8, 9}; }
    std::string made_by() const override { return "other 1.0"; }

  private:
    Verification verification_;
};

Prepared checked(double error, double tolerance, double scale = 1) {
    bool gpu_lost = false;
    Prepared prepared = make(
        [&] {
            return std::make_unique<Answer>(Verification{"a formula", error, tolerance, 3, scale});
        },
        gpu_lost);
    EXPECT_FALSE(prepared.checked || prepared.verification || prepared.kernel || prepared.none);
    EXPECT_NE(prepared.work, nullptr);
    check(prepared, gpu_lost);
    EXPECT_TRUE(prepared.checked);
    EXPECT_FALSE(gpu_lost);
    return prepared;
}

TEST(Prepared, IsMeasuredWhereItsAnswerIsRight) {
    const Prepared right = checked(1e-7, 1e-7);
    EXPECT_NE(right.work, nullptr);
    EXPECT_FALSE(right.none);
    EXPECT_EQ(right.verification->error, 1e-7);
    EXPECT_EQ(right.kernel->registers, 7);
    EXPECT_EQ(right.made_by, "other 1.0");
}

TEST(Prepared, HasNoWorkAnyMoreWithoutARightAnswer) {
    const Prepared wrong = checked(2e-7, 1e-7);
    EXPECT_EQ(wrong.work, nullptr);
    EXPECT_EQ(wrong.none->status, Status::failed);
    EXPECT_EQ(wrong.none->reason, "wrong answer: error 2e-07 after 3 steps, tolerance 1e-07");
    EXPECT_EQ(wrong.verification->error, 2e-7);
    EXPECT_FALSE(wrong.kernel);
    const Prepared unguarded = checked(0, 0.02);
    EXPECT_EQ(unguarded.work, nullptr);
    EXPECT_TRUE(unguarded.none->reason.starts_with("verified by nothing")) << unguarded.none->reason;
}

TEST(Prepared, HasNoVerificationThatNoFileCanHold) {
    for (const double error :
         {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
        const Prepared wrong = checked(error, 1e-7);
        EXPECT_FALSE(wrong.verification);
        EXPECT_EQ(wrong.work, nullptr);
        EXPECT_EQ(wrong.none->status, Status::failed);
    }
}

TEST(Prepared, ThatCannotBeMadeIsNotChecked) {
    bool gpu_lost = false;
    Prepared none = make([]() -> std::unique_ptr<Work> { throw launch::Unavailable("no GPU"); }, gpu_lost);
    check(none, gpu_lost);
    EXPECT_FALSE(none.checked);
    EXPECT_EQ(none.none->status, Status::skipped);
    EXPECT_EQ(none.none->reason, "no GPU");
}

/// Why there is no number after this was thrown, and whether the GPU is lost.
template <class Error>
std::pair<Status, bool> after(const Error& error) {
    bool gpu_lost = false;
    const auto none = attempt([&] { throw error; }, gpu_lost);
    EXPECT_EQ(none->reason, error.what());
    return {none->status, gpu_lost};
}

TEST(Attempt, IsSkippedWhereSomethingIsUnavailableAndElseFails) {
    using Outcome = std::pair<Status, bool>;
    EXPECT_EQ(after(launch::Unavailable("a")), Outcome(Status::skipped, false));
    EXPECT_EQ(after(launch::OutOfMemory("a")), Outcome(Status::failed, false));
    EXPECT_EQ(after(launch::Error("a")), Outcome(Status::failed, true));
    EXPECT_EQ(after(std::runtime_error("a")), Outcome(Status::failed, false));
    bool gpu_lost = false;
    EXPECT_FALSE(attempt([] {}, gpu_lost));
    EXPECT_FALSE(gpu_lost);
}

TEST(Finite, IsTheValueItselfOrARangeError) {
    EXPECT_EQ(finite(-1e308), -1e308);
    for (const double none :
         {std::numeric_limits<double>::quiet_NaN(), -std::numeric_limits<double>::infinity()})
        EXPECT_THROW(finite(none), std::range_error) << none;
}

// --- how long what was asked for will take

TEST(Forecast, OnASlowerMachineGrowsByWhatNeedsNoGpu) {
    const Forecast scales{10, 4}, fixed{10, 4, false};
    EXPECT_EQ(scales.on(true, 1), 10);
    EXPECT_EQ(scales.on(false, 1), 4);
    EXPECT_EQ(scales.on(true, 3), 18);
    EXPECT_EQ(scales.on(false, 3), 12);
    EXPECT_EQ(scales.on(false, 0.5), 2);
    EXPECT_EQ(fixed.on(true, 3), 10);
    EXPECT_EQ(fixed.on(false, 3), 4);
}

TEST(WithThreads, ChangesTheThreadsAlone) {
    RunOptions options;
    options.threads = 8;
    options.seed = 5;
    EXPECT_EQ(with_threads(options, {3, "of 8 no more came"}).threads, 3);
    EXPECT_EQ(with_threads(options, {3}).seed, 5U);
}

}  // namespace
}  // namespace gridmark::harness
