#pragma once

#include <string>

#include "harness/results/row.hpp"

/// Intervals and ratios of rows: what verdicts and comparisons are made of.
namespace gridmark::harness {

/// Whether two rows come from one run, whose processes measured both, or from different runs.
enum class Runs { same, different };

/// Where the median of a repeat on another machine of the model should lie in 90 % of cases: the row's
/// median, repeat_reach() either way. Of one process it holds the rank interval, too; of a difference that
/// may be 0 or below it is that, with the processes' medians. What is counted exactly has low = high.
Interval row_interval(const Row& row);

/// Ratio of two measured rows, with the same interval of a ratio. Rows of one run are compared process by
/// process; of a single process sample by sample, where they were measured in turns. Of different runs with
/// as many processes each, three or more: process_ratio(). Where the numbers of processes differ,
/// independently of each other. Published rows have no interval (low = high).
Ratio row_ratio(const Row& numerator, const Row& denominator, Runs runs);

/// Why a ratio of two measured rows would mean nothing: the interval of one reaches 0 or below, as a
/// difference of times may. Empty where it means something.
std::string why_no_ratio(const Row& numerator, const Row& denominator);

}  // namespace gridmark::harness
