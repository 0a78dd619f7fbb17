#include "harness/verdicts/pairs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <utility>

#include "harness/results/ratio.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Rows = std::vector<Row>;
using Pairs = std::vector<RowPair>;

const char* const none = "no row of this kind was measured";

/// What a row's samples are divided by before they are compared.
double divisor(const Row& row, const json& pairs) {
    return pairs.contains("per") ? row.flops.value() : 1;
}

/// Every numerator beside every denominator.
Pairs product(const Rows& numerators, const Rows& denominators, const json& by) {
    Pairs found;
    for (const Row& n : numerators)
        for (const Row& d : denominators)
            found.push_back({label_of(n, by) + " / " + label_of(d, by), n, d});
    return found;
}

/// Numerators beside the denominators of the same label.
Pairs joined(const Rows& numerators, const Rows& denominators, const json& by) {
    Pairs found;
    for (const Row& n : numerators)
        for (const Row& d : denominators)
            if (label_of(n, by) == label_of(d, by)) found.push_back({label_of(n, by), n, d});
    return found;
}

/// The first row with a number that none of `others` shares its label with.
const Row* without_partner(const Rows& rows, const Rows& others, const json& by) {
    for (const Row& row : rows) {
        const auto partner = [&](const Row& other) { return label_of(other, by) == label_of(row, by); };
        if (row.measured() && std::none_of(others.begin(), others.end(), partner)) return &row;
    }
    return nullptr;
}

/// Whether a row without a number for a verdict is behind `best` all the same: one whose processes disagree
/// is where even its fastest process is slower. What failed, or was disturbed, might have been the best.
bool is_behind(const Row& row, double best, const json& pairs) {
    if (row.samples.empty() || row.disturbed) return false;
    const auto medians = process_medians(row.values(), row.samples_by_process());
    return *std::min_element(medians.begin(), medians.end()) / divisor(row, pairs) > best;
}

/// The row with the least value of those measured. What cannot run here is no candidate.
Expected<Row> best_of(const Rows& candidates, const json& pairs) {
    const Row* best = nullptr;
    const auto value = [&](const Row& row) { return *row.median / divisor(row, pairs); };
    for (const Row& row : candidates)
        if (row.measured() && (best == nullptr || value(row) < value(*best))) best = &row;
    for (const Row& row : candidates)
        if (row.status == Status::failed && (best == nullptr || !is_behind(row, value(*best), pairs)))
            return unknown<Row>(row.reason);
    if (candidates.empty()) return unknown<Row>(none);
    if (best == nullptr) return unknown<Row>(candidates.front().reason);
    return known(*best);
}

/// The best of each side; where the claim names keys `each`, one such pair for each of their values.
Expected<Pairs> best_pairs(const Rows& numerators, const Rows& denominators, const json& pairs) {
    const json each = pairs.value("each", json::array());
    std::vector<std::string> groups;  // in the order of their first rows
    for (const Rows* side : {&numerators, &denominators})
        for (const Row& row : *side)
            if (const std::string group = label_of(row, each);
                std::find(groups.begin(), groups.end(), group) == groups.end())
                groups.push_back(group);
    Pairs found;
    for (const std::string& group : groups) {
        std::vector<Row> best;
        for (const Rows* side : {&numerators, &denominators}) {
            Rows candidates;
            std::copy_if(side->begin(), side->end(), std::back_inserter(candidates),
                         [&](const Row& row) { return label_of(row, each) == group; });
            const auto row = best_of(candidates, pairs);
            if (!row) return unknown<Pairs>(row.reason);
            best.push_back(*row.value);
        }
        found.push_back({fmt::format("{}{}{} / {}", group, group.empty() ? "" : ": ",
                                     label_of(best[0], pairs["by"]), label_of(best[1], pairs["by"])),
                         best[0], best[1]});
    }
    return known(std::move(found));
}

/// Why the two sides cannot be compared at all; empty if they can.
std::string mismatch(Rows rows, const Rows& others, const json& pairs) {
    rows.insert(rows.end(), others.begin(), others.end());
    for (const Row& row : rows) {
        const Row& first = rows.front();
        const auto differ = [&](const char* key, const std::string& a, const std::string& b) {
            return fmt::format("{} and {} differ in {}: {} and {}", first.name, row.name, key, a, b);
        };
        if (row.quantity != first.quantity) return differ("quantity", first.quantity, row.quantity);
        if (row.unit != first.unit) return differ("unit", first.unit, row.unit);
        const bool operations = row.flops && *row.flops > 0;
        if (pairs.contains("per") && !operations)
            return row.name + " does not say how many operations it does";
    }
    return "";
}

}  // namespace

std::string label_of(const Row& row, const json& by) {
    std::string label;
    for (const auto& key : by) {
        const json value = selected_value(row, key.get<std::string>());
        label += (label.empty() ? "" : " / ") + (value.is_string() ? value.get<std::string>() : value.dump());
    }
    return label;
}

Expected<Pairs> pairs_of(const json& pairs, const Rows& rows) {
    const json& by = pairs["by"];
    const Rows numerators = select_rows(rows, {pairs["select"], pairs["numerator"]});
    Rows denominators = select_rows(rows, {pairs["select"], pairs["denominator"]});
    std::erase_if(denominators, [&](const Row& row) {  // a row stands on one side
        return std::any_of(numerators.begin(), numerators.end(),
                           [&](const Row& other) { return other.name == row.name; });
    });
    const bool best = pairs.value("best", false), across = pairs.value("across", false);
    if (const auto why = mismatch(numerators, denominators, pairs); !why.empty()) return unknown<Pairs>(why);
    Expected<Pairs> chosen = best     ? best_pairs(numerators, denominators, pairs)
                             : across ? known(product(numerators, denominators, by))
                                      : known(joined(numerators, denominators, by));
    if (!chosen) return chosen;
    const Pairs& found = *chosen.value;
    for (const RowPair& pair : found)
        for (const Row* row : {&pair.numerator, &pair.denominator})
            if (!row->measured()) return unknown<Pairs>(row->reason);
    for (const RowPair& pair : found)
        if (auto why = why_no_ratio(pair.numerator, pair.denominator); !why.empty())
            return unknown<Pairs>(std::move(why));
    if (!best && !across) {
        const Row* single = without_partner(numerators, denominators, by);
        if (single == nullptr) single = without_partner(denominators, numerators, by);
        if (single != nullptr)
            return unknown<Pairs>(fmt::format("no row to compare {} with was measured", single->name));
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

Interval ratios_by_process(const RowPair& pair, const json& pairs) {
    const double factor = divisor(pair.denominator, pairs) / divisor(pair.numerator, pairs);
    const auto medians_of = [](const Row& row) {
        return process_medians(row.values(), row.samples_by_process());
    };
    const auto above = medians_of(pair.numerator), below = medians_of(pair.denominator);
    const auto [above_least, above_most] = std::ranges::minmax(above);
    const auto [below_least, below_most] = std::ranges::minmax(below);
    if (above.size() != below.size())
        return {factor * above_least / below_most, factor * above_most / below_least};
    std::vector<double> ratios;
    std::ranges::transform(above, below, std::back_inserter(ratios), std::divides());
    const auto [least, most] = std::ranges::minmax(ratios);
    return {factor * least, factor * most};
}

namespace {

/// A variant at one ceiling, and the least and the largest share of it that its rows reach.
struct Reached {
    std::string variant, ceiling;
    double least, most;
};

std::string describe(const Reached& r) {
    const std::string low = fmt::format("{:.0f}", 100 * r.least), high = fmt::format("{:.0f}", 100 * r.most);
    return fmt::format("{} {}{} % of {}", r.variant, low == high ? "" : low + " to ", high, r.ceiling);
}

}  // namespace

std::string describe_limits(const std::vector<Row>& rows) {
    std::vector<Reached> reached;
    for (const auto& row : rows) {
        if (!row.limit) continue;
        const double share = row.limit->share;
        const auto same = [&](const Reached& r) {
            return r.variant == row.variant && r.ceiling == row.limit->ceiling;
        };
        const auto found = std::find_if(reached.begin(), reached.end(), same);
        if (found == reached.end()) {
            reached.push_back({row.variant, row.limit->ceiling, share, share});
        } else {
            found->least = std::min(found->least, share);
            found->most = std::max(found->most, share);
        }
    }
    std::string text;
    for (const Reached& r : reached)
        text += (text.empty() ? "" : "; ") + describe(r);
    return text;
}

}  // namespace gridmark::harness
