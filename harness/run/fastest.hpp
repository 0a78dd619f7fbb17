#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/results/row.hpp"
#include "harness/run/screen.hpp"

/// The fastest versions of a study (harness/compare/fastest.hpp) as text.
namespace gridmark::harness {

/// 1.25 -> "+25.0%"; of a ratio that is far off the ratio itself.
std::string percent(double ratio);

/// "heat: gpu_blocked_3 46.2 us (61 % of gpu_copy_bandwidth)", and where there is a base: "heat:
/// gpu_blocked_3 46.2 -> 48.9 us (61 -> 58 % of gpu_copy_bandwidth), +5.8%, rough". The problem is named
/// where it is not the study's own; so is a faster version that one side alone has tried. Of fastest_of() or
/// fastest_of_two().
std::string fastest_line(const nlohmann::json& found);

/// A handful of lines about the fastest of an experiment's measured versions, the fastest first: variant,
/// configuration, time, and which share of which limit it reaches, at the problem that race_of() chooses.
/// Empty where no time was measured; lines fit the screen's width.
std::string fastest_versions(const nlohmann::json& study, const std::vector<Row>& rows, const Screen& screen);

}  // namespace gridmark::harness
