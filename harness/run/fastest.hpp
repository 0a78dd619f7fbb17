#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/results/row.hpp"
#include "harness/run/screen.hpp"

namespace gridmark::harness {

/// A handful of lines about the fastest of an experiment's measured versions, the fastest first: variant,
/// configuration, time, and which share of which limit it reaches. They solve the problem that the study
/// compares machines by (study.json, `hardware`); where no row of it was measured they are those with the
/// least time for each operation. Empty where no time was measured; lines fit the screen's width.
std::string fastest_versions(const nlohmann::json& study, const std::vector<Row>& rows, const Screen& screen);

}  // namespace gridmark::harness
