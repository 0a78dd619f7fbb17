#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/result_file.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {

/// The least ratio that counts as a difference between two result sets, and its inverse (design rule: what
/// lies inside is below what one binary shows against itself).
constexpr double resolution = 1.02;

/// Whether a row combines the three processes that a difference between two sets takes.
bool enough_processes(const Row& row);

/// Whether its ceiling makes up at least half of a row's time.
bool is_bound(const Row& row);

/// How one row of `fresh` stands against the same row of `base`: "faster", "slower", "no difference
/// resolved", "not comparable" (with the reason). A difference is resolved only when both sets combine at
/// least three processes and the ratio's interval lies wholly outside [1/1.02, 1.02]. A shared CPU's speed
/// drifts between runs by more than that: wall-clock rows need the `margin` between runs (Margins) in its
/// place, and are not comparable without it.
struct RowComparison {
    std::string verdict, reason;
    double ratio;  ///< new / base
    Interval interval;

    /// A difference was found.
    bool resolved() const { return verdict == "faster" || verdict == "slower" || differs_otherwise(); }
    /// Of a rate or a share, which is neither faster nor slower.
    bool differs_otherwise() const { return verdict == "lower" || verdict == "higher"; }
    /// A difference could have been found.
    bool comparable() const { return resolved() || (verdict == "no difference resolved" && reason.empty()); }
};
RowComparison compare_rows(const Row& base, const Row& fresh, std::optional<double> margin = std::nullopt);

/// A row that two sets have.
struct ComparedRow {
    const Row* base;
    const Row* fresh;
    RowComparison comparison;
    std::optional<double> margin = {};  ///< of a wall-clock row
};

/// Both sets, row by row, with what differs between the machines, an answer by study, what the machine caused
/// and what disturbed either run: the document that `gridmark compare BASE NEW --json` prints
/// (compare.schema.json). `more` are further sets, which give the margin of wall-clock rows alone.
nlohmann::json compare_sets(const ResultSet& base, const ResultSet& fresh,
                            const std::vector<ResultSet>& more = {});

/// Any number of sets in the order of their dates and times of day (those that no time tells apart as given):
/// of every row its value in each set and the steps at which it changed; and which of four or more equal
/// machines is slower than the others.
nlohmann::json compare_history(std::vector<ResultSet> sets, const std::vector<ResultSet>& more = {});
/// Throws UsageError where the files' dates and times leave open which of two sets is the older one.
void check_order(const std::vector<ResultSet>& sets);

/// Equal machines, the slowest first, each by what it is slowest at (ranking()): the document of
/// `gridmark compare --rank --json`. Throws UsageError where the sets are too few to tell.
nlohmann::json rank_machines(const std::vector<ResultSet>& sets);

}  // namespace gridmark::harness
