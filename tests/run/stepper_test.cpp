#include "harness/stepper.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

/// Doubles every value in a step, but for the first `left_out` ones, which it does not write; gives its field
/// away but for the first `unread` ones.
class Doubling final : public Stepper<float> {
  public:
    explicit Doubling(std::size_t left_out, std::size_t unread = 0) : left_out_(left_out), unread_(unread) {}
    void start(std::span<const float> field, std::span<const float> target) override {
        now_.assign(field.begin(), field.end());
        next_.assign(target.begin(), target.end());
    }
    void steps(int count) override {
        for (int n = 0; n < count; ++n, now_.swap(next_), ++done)
            for (std::size_t i = left_out_; i < now_.size(); ++i)
                next_[i] = 2 * now_[i];
    }
    void read(std::span<float> field) override {
        for (std::size_t i = unread_; i < now_.size(); ++i)
            field[i] = now_[i];
    }
    void select() override { ++selected; }
    std::optional<launch::KernelInfo> kernel_info() const override { return launch::KernelInfo{7, 8, 9}; }

    int done = 0, selected = 0;

  private:
    std::size_t left_out_, unread_;
    std::vector<float> now_, next_;
};

std::shared_ptr<const StepCase<float>> three_steps(std::vector<double> reference) {
    return std::make_shared<const StepCase<float>>(StepCase<float>{3, {1, 2, 3}, std::move(reference), 0.5});
}

Verification verification(std::vector<double> reference, std::size_t left_out, std::size_t unread = 0) {
    return StepperWork<float>(three_steps(std::move(reference)), nullptr,
                              std::make_unique<Doubling>(left_out, unread))
        .verify();
}

TEST(StepperWork, ComparesTheLastFieldWithTheReference) {
    const auto right = verification({8, 16, 24}, 0);
    EXPECT_TRUE(right.passed());
    EXPECT_EQ(right.error, 0);
    EXPECT_EQ(right.steps, 3);
    EXPECT_EQ(right.tolerance, 0.5);
    const auto wrong = verification({8, 16, 25}, 0);
    EXPECT_FALSE(wrong.passed());
    EXPECT_EQ(wrong.error, 1);
}

// Its start stands in both fields of a version only if the harness put it there: the second one is poisoned.
TEST(StepperWork, SeesAPointThatIsNotWritten) {
    EXPECT_FALSE(verification({1, 16, 24}, 1).passed());
}

// Whatever memory happens to hold: zeros, often, or the start.
TEST(StepperWork, SeesAPointThatIsNotRead) {
    for (const double held : {0, 1})
        EXPECT_FALSE(verification({held, 16, 24}, 0, 1).passed()) << held;
}

/// A case that leaves its first point to what stands where the first step writes.
struct CaseWithTarget : StepCase<float> {
    std::vector<float> target;
};

TEST(StepperWork, GivesTheTargetOfACaseThatHasOne) {
    const auto error = [](std::vector<double> reference) {
        const CaseWithTarget it{{3, {1, 2, 3}, std::move(reference), 0.5}, {5, 0, 0}};
        return StepperWork<float, CaseWithTarget>(std::make_shared<const CaseWithTarget>(it), nullptr,
                                                  std::make_unique<Doubling>(1))
            .verify()
            .error;
    };
    EXPECT_EQ(error({5, 16, 24}), 0);
    EXPECT_EQ(error({1, 16, 24}), 4);
}

/// Two steps a launch, and nothing said of its kernel.
class TwoALaunch final : public Stepper<float> {
  public:
    explicit TwoALaunch(int& done) : done_(done) {}
    void start(std::span<const float>, std::span<const float>) override {}
    void steps(int count) override { done_ += count; }
    int steps_per_launch() const override { return 2; }
    void read(std::span<float>) override {}

  private:
    int& done_;
};

TEST(StepperWork, IteratesByLaunches) {
    int done = 0;
    StepperWork<float> work(three_steps({}), nullptr, std::make_unique<TwoALaunch>(done));
    work.iterate(5);
    EXPECT_EQ(done, 10);
    EXPECT_FALSE(work.kernel_info());
    EXPECT_NO_THROW(work.select());
}

TEST(StepperWork, KeepsWhatItWorksOnAsLongAsItLives) {
    auto kept = std::make_shared<const int>(0);
    const std::weak_ptr<const int> seen = kept;
    {
        const StepperWork<float> work(three_steps({}), std::move(kept), std::make_unique<Doubling>(0));
        EXPECT_FALSE(seen.expired());
    }
    EXPECT_TRUE(seen.expired());
}

TEST(StepperWork, PassesOnWhatItIsAsked) {
    auto stepper = std::make_unique<Doubling>(0);
    const Doubling& seen = *stepper;
    StepperWork<float> work(three_steps({8, 16, 24}), nullptr, std::move(stepper));
    work.iterate(5);
    work.select();
    EXPECT_EQ(seen.done, 5);
    EXPECT_EQ(seen.selected, 1);
    EXPECT_EQ(work.kernel_info()->registers, 7);
}

}  // namespace
}  // namespace gridmark::harness
