#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace gridmark::harness {

/// What the context of a result file says of all its rows.
struct Conditions {
    /// How many cores' worth of arithmetic the host gave: the multiply-add peak of all threads over that of
    /// one, of the precision where it is more. A virtual machine's threads may be fewer cores. None where it
    /// was not measured.
    std::optional<double> cores = {};
    /// Hot samples began with an empty L2, which launches of their own filled again (harness/run/turns.hpp).
    bool hot_refilled = true;
};

Conditions conditions_of(const nlohmann::json& context);

}  // namespace gridmark::harness
