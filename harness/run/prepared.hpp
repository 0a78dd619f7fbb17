#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "harness/experiment.hpp"
#include "harness/results/row.hpp"

namespace gridmark::harness {

/// Why a row holds no number.
struct MissingReason {
    Status status;  ///< skipped or failed
    std::string reason;
};

/// Does `body`; what it throws is why there is no number: skipped where something is unavailable, else
/// failed. `gpu_lost` is set after an error that only a new process recovers from.
std::optional<MissingReason> attempt(const std::function<void()>& body, bool& gpu_lost);

/// `value` itself. Throws std::range_error when it is not finite: no file can hold it.
double finite(double value);

/// A variant with its data in place and its answer checked at the configuration that is measured.
struct Prepared {
    std::unique_ptr<Work> work;  ///< null when it must not be measured
    bool checked = false;
    std::optional<Verification> verification;  ///< none where the error is no number that a file can hold
    std::optional<launch::KernelInfo> kernel;
    std::string made_by;                ///< the other program that does it; empty if none does
    std::optional<MissingReason> none;  ///< why it must not be measured
};

/// Makes the variant, not checked yet. `gpu_lost` is set after an error that only a new process recovers
/// from.
Prepared make(const std::function<std::unique_ptr<Work>()>& make_work, bool& gpu_lost);

/// Checks the answer of what was made; correctness gates measuring: unless it passes, there is no work any
/// more.
void check(Prepared& prepared, bool& gpu_lost);

}  // namespace gridmark::harness
