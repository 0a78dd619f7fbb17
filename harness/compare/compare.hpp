#pragma once

#include <map>
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

/// What a ratio must lie beyond where a side has too few processes: a rough difference, never a resolved one.
constexpr double rough_resolution = 1.05;

/// Whether a row combines the three processes that a difference between two sets takes.
bool enough_processes(const Row& row);

/// The ceiling that makes up at least half of a row's time, and which share: by the model where it says what
/// binds, else by the row's limit.
struct Bound {
    std::string ceiling;
    double share;
};
std::optional<Bound> bound_of(const Row& row);

/// How one row of `fresh` stands against a row of `base`: "faster", "slower", "no difference resolved",
/// "rough difference", "not comparable" (with the reason). A difference is resolved only when both sets
/// combine at least three processes and the ratio's interval lies wholly outside [1/1.02, 1.02]. Of fewer
/// processes a GPU's clock shows a rough difference: the ratio lies outside [1/1.05, 1.05], and its interval
/// on one side of 1. A shared CPU's speed drifts between runs by more than that: wall-clock rows need the
/// `margin` between runs (Margins) in its place, and are not comparable without it.
struct RowComparison {
    static constexpr const char* rough_difference = "rough difference";
    static constexpr const char* too_few_processes = "fewer than three processes";

    std::string verdict, reason;
    double ratio;  ///< new / base
    Interval interval;

    /// A difference was found.
    bool resolved() const { return verdict == "faster" || verdict == "slower" || differs_otherwise(); }
    /// Of a rate or a share, which is neither faster nor slower.
    bool differs_otherwise() const { return verdict == "lower" || verdict == "higher"; }
    /// A difference could have been found.
    bool comparable() const { return resolved() || (verdict == "no difference resolved" && reason.empty()); }
    /// A rough one was found.
    bool rough() const { return verdict == rough_difference; }
    /// No more than a rough one could have been.
    bool roughly_comparable() const { return reason == too_few_processes; }
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
/// (compare.schema.json). `more` are further sets, which give the margin of wall-clock rows alone. `studies`
/// say by which problem a study's fastest versions are compared (race_of()).
nlohmann::json compare_sets(const ResultSet& base, const ResultSet& fresh,
                            const std::vector<ResultSet>& more = {},
                            const std::map<std::string, nlohmann::json>& studies = {});

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
