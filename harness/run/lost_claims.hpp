#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/experiment.hpp"

namespace gridmark::harness {

/// What a row may need of a machine beside a processor and memory.
enum class Need { gpu, kernel_clock, profiler };

/// The ids of a study's claims that stay NOT RUN on a machine that lacks these, although the plan has their
/// rows. They follow from the rows' clocks and kinds and from the claims' own selectors. Nothing is measured.
std::vector<std::string> lost_claims(const nlohmann::json& study, const Plan& plan,
                                     const std::set<Need>& lacking);

}  // namespace gridmark::harness
