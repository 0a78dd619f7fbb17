#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/results/row.hpp"
#include "harness/statistics/statistics.hpp"

/// From claims (data in experiments/<study>/study.json) and rows to verdicts.
namespace gridmark::harness {

enum class Verdict { reproduced, trend_only, not_reproduced, inconclusive, not_run };

/// "REPRODUCED", "TREND ONLY", "NOT REPRODUCED", "INCONCLUSIVE", "NOT RUN".
std::string to_string(Verdict verdict);

/// A decided claim: what was measured in words, the number with its interval where there is one, and why.
struct Decision {
    Verdict verdict = Verdict::not_run;
    std::string measured;
    std::optional<double> value;
    std::optional<Interval> interval;
    std::string because;
    bool estimate = false;    ///< rests on rows marked as estimates
    bool hot = false;         ///< rests on rows with hot caches
    std::string limits = {};  ///< what bounds the rows that it rests on (describe_limits); empty if unknown
};

/// A ratio as `format` says, without one by three_digits(); within 1 % of 1 with three decimals, so that its
/// side shows.
std::string ratio_words(double ratio, const char* format = nullptr);
/// Three significant digits, closing zeros too: "4.00", "224", "2.21e+03".
std::string three_digits(double value);

/// A labelled ratio, for claims over pairs of rows.
struct LabelledRatio {
    std::string label;
    Ratio ratio;
    std::optional<double> published = {};  ///< what the paper has of this pair, where a claim says so
};

/// A labelled interval, for claims about rows.
struct LabelledInterval {
    std::string label;
    Interval interval;
    double median;
    bool reversed = false;  ///< a GPU's other clock orders it and the expected one the other way round
};

// In each kind the interval decides, never its middle: INCONCLUSIVE is where it crosses a bound beyond which
// another verdict would stand.

/// "Numerator / denominator is above 1 in every pair." A pair agrees when its interval lies above
/// 1 + tolerance. All agree: REPRODUCED. Where one cannot, because its interval ends below that, the sides of
/// 1 decide: TREND ONLY when more intervals lie above 1 than do not, NOT REPRODUCED when at least as many lie
/// below, whatever becomes of those that hold it. Else INCONCLUSIVE. With `or_equal` ("is not below 1") bound
/// and side are 1 - tolerance.
Decision decide_ordering(const std::vector<LabelledRatio>& pairs, double tolerance, bool or_equal = false);

/// "The ratio lies between `published.low` and `.high` in every pair, each give or take `tolerance`
/// (relative)"; both ends lie on one side of 1. A pair that has a published ratio of its own is held to that.
/// REPRODUCED when every interval lies between them and on that side. Where none is shown to lie elsewhere:
/// INCONCLUSIVE. Else as in decide_ordering, where a pair agrees that lies on the published side and
/// disagrees that lies on the other: TREND ONLY, NOT REPRODUCED or INCONCLUSIVE.
Decision decide_range(const std::vector<LabelledRatio>& pairs, const Interval& published, double tolerance);

/// "And by a factor of `at_least` (above 1)", for an ordering that is REPRODUCED: it stays so where all
/// intervals lie above that. TREND ONLY where some lie below. Else INCONCLUSIVE.
Decision hold_to_size(Decision ordering, const std::vector<LabelledRatio>& pairs, double at_least);

/// "The value is `published`, give or take `tolerance` (relative)." REPRODUCED when every measured interval
/// lies in the band. Where some lie outside: TREND ONLY when more lie in it, NOT REPRODUCED when at least as
/// many lie outside, whatever becomes of those that cross its ends. Else INCONCLUSIVE.
Decision decide_absolute(const std::vector<LabelledInterval>& measured, double published, double tolerance,
                         const std::string& unit);

/// "The ratio is `published`, give or take `tolerance` (relative)." REPRODUCED when the
/// interval lies in the band and on the published side of 1; TREND ONLY when it lies outside on the published
/// side of 1; NOT REPRODUCED when it lies on the other side. Else INCONCLUSIVE.
/// A published ratio of 1 has no side: outside the band is NOT REPRODUCED.
Decision decide_ratio(const Ratio& measured, double published, double tolerance);

/// "The least is `expected`", or with `most` the most. REPRODUCED when every other interval lies above its
/// own by more than `tolerance` (relative), NOT REPRODUCED when another lies below it by more than that. Else
/// INCONCLUSIVE: a tie, which what is `reversed` is too.
Decision decide_optimum(const std::vector<LabelledInterval>& candidates, const std::string& expected,
                        double tolerance, const std::string& unit, bool most = false);

/// What the context of a result file says of all its rows.
struct Conditions {
    /// How many cores' worth of arithmetic the host gave: the multiply-add peak of all threads over that of
    /// one, of the precision where it is more. A virtual machine's threads may be fewer cores. None where it
    /// was not measured.
    std::optional<double> cores = {};
    /// Hot samples began with an empty L2, which launches of their own filled again (harness/run/turns.hpp).
    bool hot_refilled = true;
};

Conditions conditions_of(const nlohmann::json& context);

/// Decides one claim of a study (docs/study-json.md says what it declares) from the rows of one machine. A
/// side for which the claim asks for more threads than the host gave cores might have been faster by as much:
/// the interval reaches that far. It also reaches to what a GPU's other clock says, where that is the other
/// way round (other_clock.hpp).
Decision decide(const nlohmann::json& claim, const std::vector<Row>& rows, const Conditions& conditions = {});

/// A claim with its decision and the errata about it, as `gridmark claims --json` prints it.
nlohmann::json decided_claim(const std::string& experiment, const nlohmann::json& study,
                             const nlohmann::json& claim, const std::vector<Row>& rows,
                             const Conditions& conditions = {});

/// How many of these claims have which verdict: "3 REPRODUCED, 1 NOT RUN; on any machine 2 REPRODUCED".
/// Counts and mathematics ("holds_anywhere") have a tally of their own. One that judges the same misprint as
/// another ("counts_with"), with the same verdict, is not counted beside it.
std::string tally_words(const std::vector<nlohmann::json>& decided);

/// How many of these claims' intervals miss by chance: "of 56 intervals of 90 %, about 6 miss by chance".
/// Exact numbers do not count; empty where it is less than one half.
std::string chance_words(const std::vector<nlohmann::json>& decided);

/// What was measured for a decided claim, in words, with the whole interval on which its verdict rests.
std::string measured_words(const nlohmann::json& decided);

}  // namespace gridmark::harness
