#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/statistics/statistics.hpp"

/// Reading rows of a result file (harness/result.schema.json says what a row holds).
namespace gridmark::harness {

/// The raw samples of a row; a published row has none and gives its median alone.
std::vector<double> samples_of(const nlohmann::json& row);

/// How many samples each process launch added; a row that does not say is one launch.
std::vector<std::size_t> launches_of(const nlohmann::json& row);

/// True when the row holds a number: status ok or estimate.
bool is_measured(const nlohmann::json& row);

/// True when the row matches a selector: an object of keys `variant`, `quantity`, `clock`, `status`,
/// `experiment` or any parameter, with the value that the row must have, or a list of values of which it must
/// have one; null is what a row lacks. "status": "measured" stands for ok or estimate.
bool matches(const nlohmann::json& selector, const nlohmann::json& row);

/// The value that a selector key reads: a row field or a parameter; null when there is neither.
nlohmann::json selected_value(const nlohmann::json& row, const std::string& key);

/// The rows that match all selectors.
std::vector<nlohmann::json> select_rows(const nlohmann::json& rows,
                                        const std::vector<nlohmann::json>& selectors);

/// Whether two rows come from one run, where rows of a pair were measured in turns, or from different runs.
enum class Runs { same, different };

/// Ratio of two measured rows: paired when they were measured in turns, else independent; widened to hold the
/// ratio of medians of every process launch where there are several. Of different runs with as many launches
/// each, three or more: launch_ratio(). Without an interval (low = high) for published rows.
Ratio row_ratio(const nlohmann::json& numerator, const nlohmann::json& denominator, Runs runs);

/// Why a ratio of two measured rows would mean nothing: the interval of one reaches 0 or below, as a
/// difference of times may. Empty where it means something.
std::string why_no_ratio(const nlohmann::json& numerator, const nlohmann::json& denominator);

/// The row's interval, widened to hold the median of every process launch.
Interval row_interval(const nlohmann::json& row);

}  // namespace gridmark::harness
