#include "harness/verdicts/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "harness/results/row.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Rows = std::vector<json>;
using Pairs = std::vector<RowPair>;

const char* const none = "no row of this kind was measured";

std::string name_of(const json& row) {
    return row["name"].get<std::string>();
}

std::string reason_of(const json& row) {
    return row["reason"].get<std::string>();
}

/// What a row's samples are divided by before they are compared.
double divisor(const json& row, const json& pairs) {
    return pairs.contains("per") ? row["flops"].get<double>() : 1;
}

/// Every numerator beside every denominator.
Pairs product(const Rows& numerators, const Rows& denominators, const json& by) {
    Pairs found;
    for (const json& n : numerators)
        for (const json& d : denominators)
            found.push_back({label_of(n, by) + " / " + label_of(d, by), n, d});
    return found;
}

/// Numerators beside the denominators of the same label.
Pairs joined(const Rows& numerators, const Rows& denominators, const json& by) {
    Pairs found;
    for (const json& n : numerators)
        for (const json& d : denominators)
            if (label_of(n, by) == label_of(d, by)) found.push_back({label_of(n, by), n, d});
    return found;
}

/// The first row with a number that none of `others` shares its label with.
const json* without_partner(const Rows& rows, const Rows& others, const json& by) {
    for (const json& row : rows) {
        const auto partner = [&](const json& other) { return label_of(other, by) == label_of(row, by); };
        if (is_measured(row) && std::none_of(others.begin(), others.end(), partner)) return &row;
    }
    return nullptr;
}

/// The row with the least value of those measured. What cannot run here is no candidate; what failed might
/// have been the best.
Expected<json> best_of(const Rows& candidates, const json& pairs) {
    const json* best = nullptr;
    const auto value = [&](const json& row) { return row["median"].get<double>() / divisor(row, pairs); };
    for (const json& row : candidates) {
        if (row["status"] == "failed") return unknown<json>(reason_of(row));
        if (is_measured(row) && (best == nullptr || value(row) < value(*best))) best = &row;
    }
    if (candidates.empty()) return unknown<json>(none);
    if (best == nullptr) return unknown<json>(reason_of(candidates.front()));
    return known(*best);
}

/// Why the two sides cannot be compared at all; empty if they can.
std::string mismatch(Rows rows, const Rows& others, const json& pairs) {
    rows.insert(rows.end(), others.begin(), others.end());
    for (const json& row : rows) {
        for (const char* key : {"quantity", "unit"})
            if (row[key] != rows.front()[key])
                return fmt::format("{} and {} differ in {}: {} and {}", name_of(rows.front()), name_of(row),
                                   key, rows.front()[key].get<std::string>(), row[key].get<std::string>());
        const bool operations = row["flops"].is_number() && row["flops"] > 0;
        if (pairs.contains("per") && !operations)
            return name_of(row) + " does not say how many operations it does";
    }
    return "";
}

}  // namespace

std::string label_of(const json& row, const json& by) {
    std::string label;
    for (const auto& key : by) {
        const json value = selected_value(row, key.get<std::string>());
        label += (label.empty() ? "" : " / ") + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    return label;
}

Expected<Pairs> pairs_of(const json& pairs, const json& rows) {
    const json& by = pairs["by"];
    Rows numerators = select_rows(rows, {pairs["select"], pairs["numerator"]});
    Rows denominators = select_rows(rows, {pairs["select"], pairs["denominator"]});
    const bool best = pairs.value("best", false), across = pairs.value("across", false);
    if (const auto why = mismatch(numerators, denominators, pairs); !why.empty()) return unknown<Pairs>(why);
    if (best) {
        for (Rows* side : {&numerators, &denominators}) {
            const auto row = best_of(*side, pairs);
            if (!row) return unknown<Pairs>(row.reason);
            *side = {*row.value};
        }
    }
    const Pairs found =
        best || across ? product(numerators, denominators, by) : joined(numerators, denominators, by);
    for (const RowPair& pair : found)
        for (const json* row : {&pair.numerator, &pair.denominator})
            if (!is_measured(*row)) return unknown<Pairs>(reason_of(*row));
    for (const RowPair& pair : found)
        if (auto why = why_no_ratio(pair.numerator, pair.denominator); !why.empty())
            return unknown<Pairs>(std::move(why));
    if (!best && !across) {
        const json* single = without_partner(numerators, denominators, by);
        if (single == nullptr) single = without_partner(denominators, numerators, by);
        if (single != nullptr)
            return unknown<Pairs>(fmt::format("no row to compare {} with was measured", name_of(*single)));
    }
    if (found.empty()) return unknown<Pairs>(none);
    for (const RowPair& pair : found)
        if (const Ratio r = ratio_of(pair, pairs); !std::isfinite(r.interval.high) || !(r.interval.low > 0))
            return unknown<Pairs>(pair.label + ": too far apart for a ratio by operation");
    return known(found);
}

Ratio ratio_of(const RowPair& pair, const json& pairs) {
    const double factor = divisor(pair.denominator, pairs) / divisor(pair.numerator, pairs);
    Ratio ratio = row_ratio(pair.numerator, pair.denominator, Runs::same);
    ratio.value *= factor;
    ratio.interval = {ratio.interval.low * factor, ratio.interval.high * factor};
    return ratio;
}

}  // namespace gridmark::harness
