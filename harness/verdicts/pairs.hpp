#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/expected.hpp"
#include "harness/results/row.hpp"
#include "harness/statistics/statistics.hpp"

/// Which rows a claim's `pairs` compare (docs/study-json.md describes its keys).
namespace gridmark::harness {

/// Two measured rows that a claim compares.
struct RowPair {
    std::string label;
    Row numerator, denominator;
};

/// The values of the keys `by` in a row, joined: "32x32 / 32x8".
std::string label_of(const Row& row, const nlohmann::json& by);

/// All pairs that the key `pairs` of a claim asks for, at least one; the reason says which number is missing
/// for a claim about all of them.
Expected<std::vector<RowPair>> pairs_of(const nlohmann::json& pairs, const std::vector<Row>& rows);

/// The ratio of a pair: of its values, or with "per": "flops" of its values an operation.
Ratio ratio_of(const RowPair& pair, const nlohmann::json& pairs);

/// The least and the greatest ratio of a pair by process: the medians of one after another, or, where the
/// sides have not as many, any of one beside any of the other.
Interval ratios_by_process(const RowPair& pair, const nlohmann::json& pairs);

/// What bounds rows, for a reader who asks why one is faster: "gpu_shared 35 to 45 % of gpu_l2_bandwidth;
/// cpu_sse 61 % of cpu_triad_one_thread". A variant is named once for each ceiling that bounds it, in the
/// order of the rows; rows without a limit are left out. Empty when no row has one.
std::string describe_limits(const std::vector<Row>& rows);

}  // namespace gridmark::harness
