#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "harness/results/row.hpp"

namespace gridmark::harness {

/// The ratio of two columns that a study's table declares, with its interval: {"key", "ratio", "interval"}
/// for every row of the table that has both numbers and a ratio of them. A ratio `against` a selector divides
/// by the row that it selects and that agrees in all keys but those which the selector names: one row beside
/// which all others are held. `rows` are a result file's.
nlohmann::json table_ratios(const nlohmann::json& table, const std::vector<Row>& rows);

}  // namespace gridmark::harness
