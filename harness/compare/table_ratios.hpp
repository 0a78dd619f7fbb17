#pragma once

#include <nlohmann/json.hpp>

namespace gridmark::harness {

/// The ratio of two columns that a study's table declares, with its interval: {"key", "ratio", "interval"}
/// for every row of the table that has both numbers and a ratio of them. `rows` are a result file's.
nlohmann::json table_ratios(const nlohmann::json& table, const nlohmann::json& rows);

}  // namespace gridmark::harness
