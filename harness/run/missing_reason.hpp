#pragma once

#include <functional>
#include <optional>
#include <string>

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

}  // namespace gridmark::harness
