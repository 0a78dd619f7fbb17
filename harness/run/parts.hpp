#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/run/missing_reason.hpp"

namespace gridmark::harness {

/// A row that another one is made from.
struct Part {
    std::string name;
    const nlohmann::json* row;  ///< null when the run left it out
};

/// Why nothing can be made of the parts: the first that holds no number. Empty if all do.
std::optional<MissingReason> without_number(const std::vector<Part>& parts);

/// What is made of estimates is one, for the reason of the first.
void inherit_estimate(nlohmann::json& row, const std::vector<Part>& parts);

}  // namespace gridmark::harness
