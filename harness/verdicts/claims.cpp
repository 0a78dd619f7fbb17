#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "harness/results/ratio.hpp"
#include "harness/verdicts/other_clock.hpp"
#include "harness/verdicts/pairs.hpp"
#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Rows = std::vector<Row>;

Decision not_run(std::string because) {
    Decision d;
    d.because = std::move(because);
    return d;
}

/// One reason for rows that hold no number: the first that any gives.
Decision not_run(const Rows& rows) {
    return not_run(rows.empty() ? "no row of this kind was measured" : rows.front().reason);
}

Rows measured_rows(const Rows& rows) {
    Rows result;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(result),
                 [](const Row& row) { return row.measured(); });
    return result;
}

/// Adds what the rows say that a decision was made from.
Decision resting_on(const Rows& rows, Decision d) {
    d.estimate =
        std::any_of(rows.begin(), rows.end(), [](const Row& row) { return row.status == Status::estimate; });
    d.hot = std::ranges::any_of(rows, [](const Row& row) {
        return !row.samples.empty() && harness::value_of<std::string>(row.parameters, "cache", "") == "hot";
    });
    d.limits = describe_limits(rows);
    return d;
}

double threads_of(const Row& row) {
    return static_cast<double>(harness::value_of<std::int64_t>(row.parameters, "threads", 1));
}

/// The threads of a side's row, where the claim asks for a number of them; else 1.
double asked_threads(const json& pairs, const char* side, const Row& row) {
    return pairs["select"].contains("threads") || pairs[side].contains("threads") ? threads_of(row) : 1;
}

/// The ratio where a side had fewer cores than the claim asks threads for: its time might be shorter by that
/// factor.
Ratio with_cores(Ratio ratio, const RowPair& pair, const json& pairs, double cores) {
    const double above = asked_threads(pairs, "numerator", pair.numerator),
                 below = asked_threads(pairs, "denominator", pair.denominator);
    if (above == below) return ratio;
    ratio.interval.low *= std::min(1.0, cores / above);
    ratio.interval.high /= std::min(1.0, cores / below);
    return ratio;
}

/// Every pair must be there: a claim about all of them is not decided by a part.
Decision decide_pairs(const json& claim, const Rows& rows, const Conditions& conditions) {
    const json &declared = claim["pairs"], published = claim.value("published", json::object()),
               of_pairs = published.value("pairs", json::object());
    const auto pairs = pairs_of(declared, rows);
    if (!pairs) return not_run(pairs.reason);
    const bool one_ratio = claim["kind"] == "ratio";
    if (one_ratio && pairs.value->size() > 1)
        return not_run(fmt::format("claim {} compares one pair of rows, and its selectors find {}",
                                   claim["id"].get<std::string>(), pairs.value->size()));
    std::vector<LabelledRatio> ratios;
    std::vector<std::string> reversed;
    double threads = 1;
    Rows used;
    for (const RowPair& pair : *pairs.value) {
        Ratio ratio = ratio_of(pair, declared);
        if (conditions.cores) {
            ratio = with_cores(ratio, pair, declared, *conditions.cores);
            threads = std::max({threads, threads_of(pair.numerator), threads_of(pair.denominator)});
        }
        if (const auto other = reversed_ratio(pair.numerator, pair.denominator, ratio, rows)) {
            reversed.push_back(fmt::format("{} by {} ({})", ratio_words(other->value),
                                           other_clock_of(pair.numerator), pair.label));
            ratio.interval = {std::min(ratio.interval.low, other->interval.low),
                              std::max(ratio.interval.high, other->interval.high)};
        }
        ratios.push_back({pair.label, ratio});
        if (of_pairs.contains(pair.label)) ratios.back().published = of_pairs[pair.label];
        used.insert(used.end(), {pair.numerator, pair.denominator});
    }
    Decision d = one_ratio ? decide_ratio(ratios.front().ratio, published["value"], claim["tolerance"])
                 : claim["kind"] == "range"
                     ? decide_range(ratios, {published["low"], published["high"]}, claim["tolerance"])
                     : decide_ordering(ratios, claim["tolerance"], claim.value("or_equal", false));
    if (declared.contains("at_least")) d = hold_to_size(std::move(d), ratios, declared["at_least"]);
    if (declared.value("best", false)) {
        std::vector<std::string> labels;
        for (const LabelledRatio& ratio : ratios)
            labels.push_back(ratio.label);
        d.measured += fmt::format(" ({})", fmt::join(labels, "; "));
    }
    if (!reversed.empty()) {
        d.measured += fmt::format("; {}", fmt::join(reversed, ", "));
        d.because += fmt::format("; in {} of {} pairs the other clock says the other side", reversed.size(),
                                 pairs.value->size());
    }
    if (threads > 1)
        d.because += fmt::format("; {:g} threads had {:.1f} cores' worth of the host's arithmetic", threads,
                                 *conditions.cores);
    return resting_on(used, std::move(d));
}

/// From the rows of one way to count.
Decision decide_value(const json& claim, const Rows& selected) {
    const auto measured = measured_rows(selected);
    if (measured.empty()) return not_run(selected);
    std::vector<LabelledInterval> intervals;
    for (const Row& row : measured)
        intervals.push_back({row.name, row_interval(row), *row.median});
    return resting_on(measured, decide_absolute(intervals, claim["published"]["value"], claim["tolerance"],
                                                measured.front().unit));
}

/// What is counted in several ways is decided by each, and left open where they disagree. A way that no row
/// was planned for (a paper has but one) is left out.
Decision decide_values(const json& claim, const Rows& rows) {
    const json& of = claim["of"];
    if (!of.contains("ways")) return decide_value(claim, select_rows(rows, {of["select"]}));
    std::optional<Decision> joint;
    std::string verdicts;
    bool agree = true;
    for (const json& way : of["ways"]) {
        const Rows selected = select_rows(rows, {of["select"], way});
        if (selected.empty()) continue;
        Decision d = decide_value(claim, selected);
        if (d.verdict == Verdict::not_run) return d;
        std::string name;
        for (const auto& [key, value] : way.items())
            name += (name.empty() ? "" : " / ") + value.get<std::string>();
        verdicts += fmt::format("{}{} {}", joint ? ", " : "", name, to_string(d.verdict));
        if (!joint) {
            joint = d;
            joint->measured += fmt::format(" ({})", name);
            joint->because = fmt::format("{}: {}", name, d.because);
            continue;
        }
        agree = agree && d.verdict == joint->verdict;
        joint->measured += fmt::format(", {} ({})", d.measured, name);
        joint->because += fmt::format("; {}: {}", name, d.because);
        joint->interval = Interval{std::min(joint->interval->low, d.interval->low),
                                   std::max(joint->interval->high, d.interval->high)};
        joint->estimate = joint->estimate || d.estimate;
    }
    if (!joint) return not_run(Rows{});
    if (!agree) {
        joint->verdict = Verdict::inconclusive;
        joint->because = "the ways to count disagree: " + verdicts;
    }
    return *joint;
}

Decision decide_least(const json& claim, const Rows& rows) {
    const json& optimum = claim["optimum"];
    Rows selected;
    for (const json& choice : optimum["among"]) {
        const auto some = select_rows(rows, {optimum["select"], choice});
        selected.insert(selected.end(), some.begin(), some.end());
    }
    const auto measured = measured_rows(selected);
    if (measured.empty() || measured.size() < selected.size()) {
        const auto missing =
            std::find_if_not(selected.begin(), selected.end(), [](const Row& row) { return row.measured(); });
        return not_run(missing == selected.end() ? Rows{} : Rows{*missing});
    }
    const std::size_t wanted = optimum.value("candidates", std::size_t{0});
    if (measured.size() < wanted)
        return not_run(fmt::format("{} of {} candidates were measured", measured.size(), wanted));
    std::string expected;
    for (const auto& key : optimum["by"]) {
        const json& value = optimum["expect"][key.get<std::string>()];
        expected +=
            (expected.empty() ? "" : " / ") + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    const auto wanted_row = std::ranges::find_if(
        measured, [&](const Row& row) { return label_of(row, optimum["by"]) == expected; });
    std::vector<LabelledInterval> candidates;
    for (const Row& row : measured) {
        candidates.push_back({label_of(row, optimum["by"]), row_interval(row), *row.median});
        if (wanted_row != measured.end() && why_no_ratio(row, *wanted_row).empty())
            candidates.back().reversed =
                reversed_ratio(row, *wanted_row, row_ratio(row, *wanted_row, Runs::same), rows).has_value();
    }
    return resting_on(measured, decide_optimum(candidates, expected, claim["tolerance"],
                                               measured.front().unit, optimum.value("most", false)));
}

json errata_of(const json& study, const json& id) {
    json texts = json::array();
    for (const json& erratum : study["errata"])
        for (const json& claim : erratum["claims"])
            if (claim == id) texts.push_back(erratum["text"]);
    return texts;
}

std::string unfit_words(const Row& row) {
    return fmt::format("{} was {}", row.name, row.why_unfit());
}

/// Whether a claim has no number because of a row whose processes disagree.
bool is_unstable(const std::string& because, const Rows& rows) {
    return std::ranges::any_of(rows, [&](const Row& row) {
        return row.measured() && !(row.disturbed && !row.disturbed->allowed) && !row.fit() &&
               unfit_words(row) == because;
    });
}

/// What every process has of a claim's pairs where no verdict can rest on them together; empty where there
/// is no such ratio.
std::string by_process(const json& claim, const Rows& rows) {
    if (!claim.contains("pairs")) return "";
    const auto pairs = pairs_of(claim["pairs"], rows);
    if (!pairs) return "";
    Interval all = ratios_by_process(pairs.value->front(), claim["pairs"]);
    for (const RowPair& pair : *pairs.value) {
        const Interval own = ratios_by_process(pair, claim["pairs"]);
        all = {std::min(all.low, own.low), std::max(all.high, own.high)};
    }
    return fmt::format("{} to {} by process", ratio_words(all.low), ratio_words(all.high));
}

/// Rows as a claim may use them. A row that no wrong answer could fail loses its number. So does a disturbed
/// row, which might have been the best.
Rows verified(Rows rows) {
    for (Row& row : rows)
        if (row.measured() && row.verification && !row.verification->can_fail()) {
            row.status = Status::failed;
            row.reason = fmt::format("{} was verified by nothing: its tolerance is {:.2g}", row.name,
                                     row.verification->tolerance);
        } else if (row.measured() && !row.fit()) {
            row.status = Status::failed;
            row.reason = unfit_words(row);
        }
    return rows;
}

Decision decide_verified(const json& claim, const Rows& rows, const Conditions& conditions) {
    if (claim.contains("pairs")) return decide_pairs(claim, rows, conditions);
    if (claim.contains("optimum")) return decide_least(claim, rows);
    return decide_values(claim, rows);
}

}  // namespace

Decision decide(const json& claim, const Rows& rows, const Conditions& conditions) {
    Decision d = decide_verified(claim, verified(rows), conditions);
    // Whatever the rows were: they are there, and do not decide.
    if (d.verdict == Verdict::not_run && is_unstable(d.because, rows)) {
        d.verdict = Verdict::inconclusive;
        d.measured = by_process(claim, rows);
    }
    if (d.hot && !conditions.hot_refilled) d.because += "; hot as measured before";
    return d;
}

json decided_claim(const std::string& experiment, const json& study, const json& claim, const Rows& rows,
                   const Conditions& conditions) {
    const Decision d = decide(claim, rows, conditions);
    json entry = {{"experiment", experiment}, {"published", claim["published"]["text"]},
                  {"measured", d.measured},   {"value", nullptr},
                  {"interval", nullptr},      {"verdict", to_string(d.verdict)},
                  {"because", d.because},     {"limits", d.limits},
                  {"estimate", d.estimate},   {"errata", errata_of(study, claim["id"])}};
    for (const char* key :
         {"id", "statement", "quote", "place", "kind", "reading", "quantity", "why", "counts_with"})
        entry[key] = claim.value(key, "");
    entry["holds_anywhere"] = claim.value("holds_anywhere", false);
    if (d.value) entry["value"] = *d.value;
    if (d.interval) entry["interval"] = {d.interval->low, d.interval->high};
    return entry;
}

std::string measured_words(const json& decided) {
    auto words = decided["measured"].get<std::string>();
    if (words.empty()) return "nothing";
    if (const json& i = decided["interval"]; i.is_array() && i[0] < i[1])
        words += fmt::format(", interval {} to {}", ratio_words(i[0], "{:.3g}"), ratio_words(i[1], "{:.3g}"));
    return words;
}

}  // namespace gridmark::harness
