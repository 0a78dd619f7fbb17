#include "harness/verdicts/other_clock.hpp"

#include <algorithm>
#include <utility>

#include "harness/results/ratio.hpp"

namespace gridmark::harness {
namespace {

/// Of a clock, the parameter that tells its rows apart, and that parameter's value.
struct Clock {
    std::string clock, key, value;
};

const Clock clocks[] = {{"kernel", "cache", "hot"}, {"step", "launch", "graph"}};
const std::pair<Clock, Clock> both_ways[] = {{clocks[0], clocks[1]}, {clocks[1], clocks[0]}};

bool is_by(const Row& row, const Clock& by) {
    return row.is_time() && row.clock == by.clock &&
           harness::value_of<std::string>(row.parameters, by.key, "") == by.value;
}

/// What was measured, whatever the clock.
Parameters work_of(const Row& row) {
    Parameters work = row.parameters;
    for (const Clock& clock : clocks)
        work.erase(clock.key);
    return work;
}

}  // namespace

const Row* by_other_clock(const Row& row, const std::vector<Row>& rows) {
    for (const auto& way : both_ways) {
        const Clock &own = way.first, &other = way.second;  // clang 14 captures no structured binding
        if (!is_by(row, own)) continue;
        const auto found = std::ranges::find_if(rows, [&](const Row& candidate) {
            return candidate.variant == row.variant && is_by(candidate, other) && candidate.fit() &&
                   work_of(candidate) == work_of(row);
        });
        return found == rows.end() ? nullptr : &*found;
    }
    return nullptr;
}

std::string other_clock_of(const Row& row) {
    for (const auto& [own, other] : both_ways)
        if (is_by(row, own)) return other.clock + "/" + other.value;
    return {};
}

std::optional<Ratio> reversed_ratio(const Row& numerator, const Row& denominator, const Ratio& ratio,
                                    const std::vector<Row>& rows) {
    const Row *above = by_other_clock(numerator, rows), *below = by_other_clock(denominator, rows);
    if (above == nullptr || below == nullptr || !why_no_ratio(*above, *below).empty()) return std::nullopt;
    // By operations the same factor lies between both clocks' ratios.
    const double factor = ratio.value / row_ratio(numerator, denominator, Runs::same).value;
    Ratio other = row_ratio(*above, *below, Runs::same);
    other = {other.value * factor, {other.interval.low * factor, other.interval.high * factor}};
    const bool reversed = (ratio.interval.low > 1 && other.interval.high < 1) ||
                          (ratio.interval.high < 1 && other.interval.low > 1);
    return reversed ? std::optional(other) : std::nullopt;
}

}  // namespace gridmark::harness
