#pragma once

#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/whole_field.hpp"
#include "kernels/storage.hpp"

/// For studies whose variants advance a field step by step: what `run` and `solve` share of them.
namespace gridmark::harness {

/// A version with its two fields in place, wherever they live: the step's source and its target.
template <class T>
class Stepper {
  public:
    virtual ~Stepper() = default;
    /// Sets the field; `target` is what stands where the first step writes.
    virtual void start(std::span<const T> field, std::span<const T> target) = 0;
    /// Puts `count` steps into the device's stream, or does them.
    virtual void steps(int count) = 0;
    /// Of a launch: an iteration of what is timed (Point::steps).
    virtual int steps_per_launch() const { return 1; }
    /// The last field.
    virtual void read(std::span<T> field) = 0;
    /// Chooses the version's cache split, which is a property of the kernel.
    virtual void select() {}
    virtual std::optional<launch::KernelInfo> kernel_info() const { return std::nullopt; }
};

/// So many steps of a version from a field, which is the last one afterwards.
template <class T>
void advance(Stepper<T>& stepper, std::vector<T>& field, int steps) {
    stepper.start(field, field);
    stepper.steps(steps);
    stepper.read(field);
}

/// What versions of one size are verified with.
template <class T>
struct StepCase {
    int steps;  ///< odd, so that the answer stands in the other buffer than the start
    std::vector<T> start;
    std::vector<double> reference;
    double tolerance;
};

/// A stepper that starts from a case: a StepCase, or a study's own with the same members. A case with a
/// `target` as well leaves points that no step writes. `kept` is whatever else the stepper works on.
template <class T, class Case = StepCase<T>>
class StepperWork final : public Work {
  public:
    StepperWork(std::shared_ptr<const Case> step_case, std::shared_ptr<const void> kept,
                std::unique_ptr<Stepper<T>> stepper)
        : case_(std::move(step_case)), kept_(std::move(kept)), stepper_(std::move(stepper)) {}

    Verification verify() override {
        // A point that a step does not write, or that is not read, cannot pass.
        Storage<T> field = poisoned(case_->start.size());
        if constexpr (requires { case_->target; })
            stepper_->start(case_->start, case_->target);
        else
            stepper_->start(case_->start, field);
        stepper_->steps(case_->steps);
        stepper_->read(field);
        return compare_whole_field<T>(field, case_->reference, case_->tolerance, case_->steps);
    }
    void select() override { stepper_->select(); }
    void iterate(int count) override { stepper_->steps(count * stepper_->steps_per_launch()); }
    std::optional<launch::KernelInfo> kernel_info() const override { return stepper_->kernel_info(); }

  private:
    /// Filled by all threads: one alone takes a second for the pages of a large field.
    static Storage<T> poisoned(std::size_t size) {
        Storage<T> field(size);
        const auto n = static_cast<std::ptrdiff_t>(size);
#pragma omp parallel for schedule(static)
        for (std::ptrdiff_t i = 0; i < n; ++i)
            field[i] = std::numeric_limits<T>::quiet_NaN();
        return field;
    }

    std::shared_ptr<const Case> case_;
    std::shared_ptr<const void> kept_;
    std::unique_ptr<Stepper<T>> stepper_;
};

/// Such work; `kept` as above.
template <class T, class Case>
std::unique_ptr<Work> stepper_work(std::shared_ptr<const Case> step_case, std::shared_ptr<const void> kept,
                                   std::unique_ptr<Stepper<T>> stepper) {
    return std::make_unique<StepperWork<T, Case>>(std::move(step_case), std::move(kept), std::move(stepper));
}

}  // namespace gridmark::harness
