#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {
namespace {

std::string list(const std::vector<std::string>& labels) {
    return fmt::format("{}", fmt::join(labels, ", "));
}

bool meets(const Interval& a, const Interval& b) {
    return a.low <= b.high && b.low <= a.high;
}

/// The band published * (1 -+ tolerance).
Interval band(double published, double tolerance) {
    return {published * (1 - tolerance), published * (1 + tolerance)};
}

}  // namespace

std::string to_string(Verdict verdict) {
    switch (verdict) {
        case Verdict::reproduced:
            return "REPRODUCED";
        case Verdict::trend_only:
            return "TREND ONLY";
        case Verdict::not_reproduced:
            return "NOT REPRODUCED";
        case Verdict::inconclusive:
            return "INCONCLUSIVE";
        case Verdict::not_run:
            return "NOT RUN";
    }
    throw std::logic_error("no such verdict");
}

Decision decide_ordering(const std::vector<LabelledRatio>& pairs, double tolerance) {
    std::vector<std::string> against, open;
    double least = pairs.front().ratio.value, most = least;
    Interval hull = pairs.front().ratio.interval;
    std::size_t agree = 0;
    for (const auto& [label, ratio] : pairs) {
        least = std::min(least, ratio.value);
        most = std::max(most, ratio.value);
        hull = {std::min(hull.low, ratio.interval.low), std::max(hull.high, ratio.interval.high)};
        if (ratio.interval.low > 1)
            ++agree;
        else if (ratio.interval.high < 1 - tolerance)
            against.push_back(label);
        else
            open.push_back(label);
    }
    const bool single = pairs.size() == 1;
    Decision d{Verdict::reproduced,
               single ? fmt::format("{:.2f}", least)
                      : fmt::format("{:.2f} to {:.2f} over {} pairs", least, most, pairs.size()),
               std::nullopt, hull,
               single ? "the interval lies above 1"
                      : fmt::format("the interval lies above 1 in all {} pairs", pairs.size())};
    if (!against.empty()) {
        d.verdict = agree > against.size() ? Verdict::trend_only : Verdict::not_reproduced;
        d.because = fmt::format("above 1 in {} of {} pairs, below 1 in {} ({})", agree, pairs.size(),
                                against.size(), list(against));
    } else if (!open.empty()) {
        d.verdict = Verdict::inconclusive;
        d.because = fmt::format("above 1 in {} of {} pairs, not resolved in {} ({})", agree, pairs.size(),
                                open.size(), list(open));
    }
    return d;
}

Decision decide_absolute(const std::vector<Interval>& measured, double published, double tolerance,
                         const std::string& unit) {
    const Interval target = band(published, tolerance);
    Interval hull = measured.front();
    for (const Interval& m : measured)
        hull = {std::min(hull.low, m.low), std::max(hull.high, m.high)};
    const auto hits = static_cast<std::size_t>(
        std::count_if(measured.begin(), measured.end(), [&](const Interval& m) { return meets(m, target); }));
    const Verdict verdict = hits == measured.size() ? Verdict::reproduced
                            : hits == 0             ? Verdict::not_reproduced
                                                    : Verdict::trend_only;
    return {verdict, fmt::format("{:.3g} to {:.3g} {}", hull.low, hull.high, unit), std::nullopt, hull,
            fmt::format("{} of {} measured values lie within {:.0f} % of {:g} {}", hits, measured.size(),
                        100 * tolerance, published, unit)};
}

Decision decide_ratio(const Ratio& measured, double published, double tolerance) {
    Decision d{Verdict::reproduced, fmt::format("{:#.3g}", measured.value), measured.value, measured.interval,
               fmt::format("within {:.0f} % of {:g}", 100 * tolerance, published)};
    const Interval target = band(published, tolerance);
    if (meets({measured.value, measured.value}, target)) return d;
    if (measured.interval.low <= 1 && measured.interval.high >= 1) {
        d.verdict = Verdict::inconclusive;
        d.because = "the interval holds 1: neither side is shown to be faster";
    } else if (meets(measured.interval, target)) {
        d.verdict = Verdict::inconclusive;
        d.because = fmt::format("the interval reaches {:g} within {:.0f} %, its middle does not", published,
                                100 * tolerance);
    } else if ((measured.interval.low > 1) == (published > 1)) {
        d.verdict = Verdict::trend_only;
        d.because = fmt::format("the same side is faster, by another factor than {:g}", published);
    } else {
        d.verdict = Verdict::not_reproduced;
        d.because = "the other side is faster";
    }
    return d;
}

Decision decide_optimum(const std::vector<LabelledInterval>& candidates, const std::string& expected,
                        double tolerance, const std::string& unit) {
    const auto best = std::min_element(candidates.begin(), candidates.end(),
                                       [](const auto& a, const auto& b) { return a.median < b.median; });
    const auto wanted = std::find_if(candidates.begin(), candidates.end(),
                                     [&](const auto& c) { return c.label == expected; });
    if (wanted == candidates.end()) return {Verdict::not_run, "", {}, {}, expected + " was not measured"};
    Decision d{Verdict::not_reproduced,
               fmt::format("{} with {:.4g} {}; {} has {:.4g}", best->label, best->median, unit, expected,
                           wanted->median),
               wanted->median, wanted->interval,
               fmt::format("{} is {:.1f} % faster", best->label, 100 * (wanted->median / best->median - 1))};
    if (wanted == best) {
        d.verdict = Verdict::reproduced;
        d.measured = fmt::format("{} with {:.4g} {}", expected, wanted->median, unit);
        d.because = "it has the least median";
    } else if (wanted->median <= best->median * (1 + tolerance)) {
        d.verdict = Verdict::reproduced;
        d.because = fmt::format("within {:.0f} % of the least, {}", 100 * tolerance, best->label);
    } else if (meets(wanted->interval, best->interval)) {
        d.verdict = Verdict::inconclusive;
        d.because = fmt::format("its interval overlaps that of {}", best->label);
    }
    return d;
}

}  // namespace gridmark::harness
