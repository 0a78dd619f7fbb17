#pragma once

#include <string>

#include "harness/results/row.hpp"

/// Intervals and ratios of rows: what verdicts and comparisons are made of.
namespace gridmark::harness {

/// Whether two rows come from one run, where rows of a pair were measured in turns, or from different runs.
enum class Runs { same, different };

/// The row's interval, widened to hold the median of every process.
Interval row_interval(const Row& row);

/// Ratio of two measured rows. Paired when they were measured in turns, else independent. Where there are
/// several processes, the interval is widened to hold the ratio of medians of each. Of different runs with as
/// many processes each, three or more: process_ratio(). Published rows have no interval (low = high).
Ratio row_ratio(const Row& numerator, const Row& denominator, Runs runs);

/// Why a ratio of two measured rows would mean nothing: the interval of one reaches 0 or below, as a
/// difference of times may. Empty where it means something.
std::string why_no_ratio(const Row& numerator, const Row& denominator);

}  // namespace gridmark::harness
