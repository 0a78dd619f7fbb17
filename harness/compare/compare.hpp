#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/results/result_file.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {

/// What differs between the machines, programs and presets of two sets, by the experiments that both have: a
/// set's experiments need not have been measured on one machine. Each difference is {"key", "base", "new",
/// "experiments"}: "gpu.name", its value on either side (null where a side has none), and the experiments
/// that it holds for, null where it is all of them.
nlohmann::json machine_differences(const ResultSet& base, const ResultSet& fresh);

/// The least ratio that counts as a difference between two result sets, and its inverse (design rule: what
/// lies inside is below what one binary shows against itself).
constexpr double resolution = 1.02;

/// How one row of `fresh` stands against the same row of `base`: "faster", "slower", "no difference
/// resolved", "not comparable" (with the reason). A difference is resolved only when both sets combine at
/// least three processes and the ratio's interval lies wholly outside [1/1.02, 1.02]; wall-clock rows
/// of different runs are never compared, since a shared CPU's speed drifts between them by more than they
/// differ.
struct RowComparison {
    std::string verdict, reason;
    double ratio;  ///< new / base
    Interval interval;
};
RowComparison compare_rows(const Row& base, const Row& fresh);

/// Both sets, row by row, with what differs between the machines first and a summary: the document that
/// `gridmark compare --json` prints.
nlohmann::json compare_sets(const ResultSet& base, const ResultSet& fresh);

}  // namespace gridmark::harness
