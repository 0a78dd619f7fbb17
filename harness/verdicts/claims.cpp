#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/results/row.hpp"
#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// The values of the keys `by`, joined: "32x32 / 32x8".
std::string label_of(const json& row, const json& by) {
    std::string label;
    for (const auto& key : by) {
        const json value = selected_value(row, key.get<std::string>());
        label += (label.empty() ? "" : " / ") + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    return label;
}

/// One reason for rows that hold no number: the first that any gives.
Decision not_run(const std::vector<json>& rows) {
    Decision d;
    d.because = rows.empty() ? "no row of this kind was measured" : rows.front()["reason"].get<std::string>();
    return d;
}

std::vector<json> measured_rows(const std::vector<json>& rows) {
    std::vector<json> result;
    std::copy_if(rows.begin(), rows.end(), std::back_inserter(result), is_measured);
    return result;
}

bool any_estimate(const std::vector<json>& rows) {
    return std::any_of(rows.begin(), rows.end(), [](const json& row) { return row["status"] == "estimate"; });
}

/// The first row with a number that none of `others` shares its label with.
const json* without_partner(const std::vector<json>& rows, const std::vector<json>& others, const json& by) {
    for (const json& row : rows) {
        const auto partner = [&](const json& other) { return label_of(other, by) == label_of(row, by); };
        if (is_measured(row) && std::none_of(others.begin(), others.end(), partner)) return &row;
    }
    return nullptr;
}

/// Every pair must be there: a claim about all of them is not decided by a part.
Decision decide_pairs(const json& claim, const json& rows) {
    const json& pairs = claim["pairs"];
    const auto numerators = select_rows(rows, {pairs["select"], pairs["numerator"]});
    const auto denominators = select_rows(rows, {pairs["select"], pairs["denominator"]});
    std::vector<LabelledRatio> ratios;
    std::vector<json> used;
    for (const json& n : numerators) {
        const std::string label = label_of(n, pairs["by"]);
        for (const json& d : denominators) {
            if (label_of(d, pairs["by"]) != label) continue;
            if (!is_measured(n)) return not_run({n});
            if (!is_measured(d)) return not_run({d});
            ratios.push_back({label, row_ratio(n, d, Runs::same)});
            used.insert(used.end(), {n, d});
        }
    }
    const json* single = without_partner(numerators, denominators, pairs["by"]);
    if (single == nullptr) single = without_partner(denominators, numerators, pairs["by"]);
    Decision d;
    if (single != nullptr) {
        d.because =
            fmt::format("no row to compare {} with was measured", (*single)["name"].get<std::string>());
        return d;
    }
    if (ratios.empty()) return not_run({});
    if (claim["kind"] == "ratio")
        d = decide_ratio(ratios.front().ratio, claim["published"]["value"], claim["tolerance"]);
    else
        d = decide_ordering(ratios, claim["tolerance"]);
    d.estimate = any_estimate(used);
    return d;
}

Decision decide_value(const json& claim, const json& rows) {
    const auto selected = select_rows(rows, {claim["of"]["select"]});
    const auto measured = measured_rows(selected);
    if (measured.empty()) return not_run(selected);
    std::vector<Interval> intervals;
    std::transform(measured.begin(), measured.end(), std::back_inserter(intervals), row_interval);
    Decision d = decide_absolute(intervals, claim["published"]["value"], claim["tolerance"],
                                 measured.front()["unit"].get<std::string>());
    d.estimate = any_estimate(measured);
    return d;
}

Decision decide_least(const json& claim, const json& rows) {
    const json& optimum = claim["optimum"];
    std::vector<json> selected;
    for (const json& choice : optimum["among"]) {
        const auto some = select_rows(rows, {optimum["select"], choice});
        selected.insert(selected.end(), some.begin(), some.end());
    }
    const auto measured = measured_rows(selected);
    if (measured.empty() || measured.size() < selected.size()) {
        const auto missing = std::find_if_not(selected.begin(), selected.end(), is_measured);
        return not_run(missing == selected.end() ? std::vector<json>{} : std::vector<json>{*missing});
    }
    std::vector<LabelledInterval> candidates;
    for (const json& row : measured)
        candidates.push_back({label_of(row, optimum["by"]), row_interval(row), row["median"].get<double>()});
    std::string expected;
    for (const auto& key : optimum["by"])
        expected +=
            (expected.empty() ? "" : " / ") + optimum["expect"][key.get<std::string>()].get<std::string>();
    Decision d =
        decide_optimum(candidates, expected, claim["tolerance"], measured.front()["unit"].get<std::string>());
    d.estimate = any_estimate(measured);
    return d;
}

}  // namespace

Decision decide(const json& claim, const json& rows) {
    if (claim.contains("pairs")) return decide_pairs(claim, rows);
    if (claim.contains("optimum")) return decide_least(claim, rows);
    return decide_value(claim, rows);
}

}  // namespace gridmark::harness
