#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
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

bool lies_in(const Interval& a, const Interval& b) {
    return a.low >= b.low && a.high <= b.high;
}

/// Whether it is on neither side of 1, be it by one of its ends alone.
bool holds_one(const Interval& a) {
    return meets(a, {1, 1});
}

/// The band published * (1 -+ tolerance).
Interval band(double published, double tolerance) {
    return {published * (1 - tolerance), published * (1 + tolerance)};
}

/// What pairs show together, before a verdict.
Decision of_pairs(const std::vector<LabelledRatio>& pairs) {
    double least = pairs.front().ratio.value, most = least;
    Interval hull = pairs.front().ratio.interval;
    for (const auto& [label, ratio, of_pair] : pairs) {
        least = std::min(least, ratio.value);
        most = std::max(most, ratio.value);
        hull = {std::min(hull.low, ratio.interval.low), std::max(hull.high, ratio.interval.high)};
    }
    return {Verdict::inconclusive,
            pairs.size() == 1 ? ratio_words(least, "{:.2f}")
                              : fmt::format("{} to {} over {} pairs", ratio_words(least, "{:.2f}"),
                                            ratio_words(most, "{:.2f}"), pairs.size()),
            std::nullopt, hull, ""};
}

/// How far a ratio lies outside the published ones, all on one side of 1: 3.7, or 1 within them.
double factor_beside(double ratio, const Interval& published) {
    return std::max({1.0, ratio / published.high, published.low / ratio});
}

/// The ratio in words, by the nearest of the published ones: "3.70 times the published ratio", "0.270 of
/// the published ratio".
std::string beside_published(double ratio, const Interval& published) {
    const double by = ratio > published.high ? ratio / published.high : ratio / published.low;
    return fmt::format("{} {} the published ratio", ratio_words(by), by > 1 ? "times" : "of");
}

/// The verdict where some pairs disagree, whatever becomes of the open ones.
Verdict by_majority(std::size_t agree, std::size_t against, std::size_t open) {
    return agree > against + open    ? Verdict::trend_only
           : agree + open <= against ? Verdict::not_reproduced
                                     : Verdict::inconclusive;
}

}  // namespace

std::string three_digits(double value) {
    // {:#.3g} makes "224.0" of 224 before version 10 of fmt, and "224." since.
    std::string rounded = fmt::format("{:.2e}", value);
    const int exponent = std::atoi(rounded.c_str() + rounded.find('e') + 1);
    if (!std::isfinite(value) || exponent < -4 || exponent > 2) return rounded;
    return fmt::format("{:.{}f}", value, 2 - exponent);
}

std::string ratio_words(double ratio, const char* format) {
    const bool near_one = std::abs(ratio - 1) < 0.01;
    if (format == nullptr && !near_one) return three_digits(ratio);
    // vformat: fmt before version 8 has no runtime().
    return fmt::vformat(near_one ? "{:.3f}" : format, fmt::make_format_args(ratio));
}

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

Decision decide_ordering(const std::vector<LabelledRatio>& pairs, double tolerance, bool or_equal) {
    const double least = or_equal ? 1 - tolerance : 1 + tolerance, side = std::min(1.0, least);
    std::vector<std::string> small, equal, below, beside, open;
    std::size_t agree = 0, on_side = 0, against = 0;
    for (const auto& [label, ratio, of_pair] : pairs) {
        const Interval& m = ratio.interval;
        on_side += m.low > side ? 1 : 0;
        against += m.high < side ? 1 : 0;
        if (m.low > least)
            ++agree;
        else if (m.high > least)
            open.push_back(label);
        else
            (m.low > 1                                           ? small
             : m.high < 1 - tolerance                            ? below
             : m.low >= 1 - tolerance && m.high <= 1 + tolerance ? equal
                                                                 : beside)
                .push_back(label);
    }
    Decision d = of_pairs(pairs);
    if (agree == pairs.size()) {
        d.verdict = Verdict::reproduced;
        d.because = fmt::format("the interval lies above {:g}", least);
        if (pairs.size() > 1) d.because += fmt::format(" in all {} pairs", pairs.size());
        return d;
    }
    d.because = fmt::format("above {:g} in {} of {} pairs", least, agree, pairs.size());
    for (const auto& [labels, words] :
         {std::pair{small, fmt::format("above 1 by {:g} % at most", 100 * tolerance)},
          {equal, fmt::format("equal within {:g} %", 100 * tolerance)},
          {below, fmt::format("below {:g}", 1 - tolerance)},
          {beside, fmt::format("not above {:g}", least)},
          {open, std::string("not resolved")}})
        if (!labels.empty()) d.because += fmt::format(", {} in {} ({})", words, labels.size(), list(labels));
    // Some pair cannot agree: which side of 1 the others are on decides.
    if (agree + open.size() < pairs.size())
        d.verdict = by_majority(on_side, against, pairs.size() - on_side - against);
    return d;
}

Decision decide_range(const std::vector<LabelledRatio>& pairs, const Interval& published, double tolerance) {
    const auto on_published_side = [&](double value) { return published.low > 1 ? value > 1 : value < 1; };
    std::size_t inside = 0, same_side = 0;
    std::size_t beside = 0, against = 0, open = 0;
    double factor = 1;
    bool pair_by_pair = false;
    std::string farthest;
    for (const auto& [label, ratio, of_pair] : pairs) {
        const Interval& m = ratio.interval;
        const Interval own = of_pair ? Interval{*of_pair, *of_pair} : published,
                       target{own.low * (1 - tolerance), own.high * (1 + tolerance)};
        pair_by_pair = pair_by_pair || of_pair;
        const bool low = on_published_side(m.low), high = on_published_side(m.high), no_side = holds_one(m);
        same_side += low && high ? 1 : 0;
        inside += low && high && lies_in(m, target) ? 1 : 0;
        against += !low && !high && !no_side ? 1 : 0;
        open += no_side ? 1 : 0;
        if (!low || !high || meets(m, target)) continue;
        ++beside;
        if (const double by = factor_beside(ratio.value, own); by > factor) {
            factor = by;
            farthest = beside_published(ratio.value, own);
        }
    }
    Decision d = of_pairs(pairs);
    const std::string where = pair_by_pair
                                  ? "at the ratio that is published for their pair"
                                  : fmt::format("between {:g} and {:g}", published.low, published.high);
    d.because = fmt::format(
        "{} of {} intervals lie {}, give or take {:.2g} %; {} outside on that side of 1, {} on the other",
        inside, pairs.size(), where, 100 * tolerance, beside, against);
    if (inside == pairs.size())
        d.verdict = Verdict::reproduced;
    else if (beside + against > 0)
        d.verdict = by_majority(same_side, against, open);
    if (d.verdict == Verdict::trend_only && beside > 0) d.because += "; the farthest " + farthest;
    return d;
}

Decision hold_to_size(Decision ordering, const std::vector<LabelledRatio>& pairs, double at_least) {
    if (ordering.verdict != Verdict::reproduced) return ordering;
    std::size_t above = 0, below = 0;
    for (const auto& [label, ratio, of_pair] : pairs) {
        above += ratio.interval.low > at_least ? 1 : 0;
        below += ratio.interval.high < at_least ? 1 : 0;
    }
    if (above < pairs.size()) ordering.verdict = below > 0 ? Verdict::trend_only : Verdict::inconclusive;
    ordering.because = fmt::format("above 1 in all pairs; above {:g} in {} of {}, below it in {}", at_least,
                                   above, pairs.size(), below);
    return ordering;
}

Decision decide_absolute(const std::vector<LabelledInterval>& measured, double published, double tolerance,
                         const std::string& unit) {
    const Interval target = band(published, tolerance);
    Interval medians{measured.front().median, measured.front().median}, hull = measured.front().interval;
    std::size_t inside = 0, outside = 0;
    for (const auto& [label, m, median, reversed] : measured) {
        medians = {std::min(medians.low, median), std::max(medians.high, median)};
        hull = {std::min(hull.low, m.low), std::max(hull.high, m.high)};
        inside += lies_in(m, target) ? 1 : 0;
        outside += meets(m, target) ? 0 : 1;
    }
    const Verdict verdict = inside == measured.size() ? Verdict::reproduced
                            : outside == 0            ? Verdict::inconclusive
                                           : by_majority(inside, outside, measured.size() - inside - outside);
    const std::string name = unit == "1" ? "" : " " + unit;
    const bool is_ratio = unit == "1" || unit == "times";
    const auto words = [&](double value) {
        return is_ratio ? ratio_words(value, "{:.3g}") : fmt::format("{:.3g}", value);
    };
    const std::string up_to = medians.low < medians.high ? " to " + words(medians.high) : "";
    return {verdict, words(medians.low) + up_to + name, std::nullopt, hull,
            fmt::format("{} of {} intervals lie within {:.0f} % of {:g}{}, {} outside", inside,
                        measured.size(), 100 * tolerance, published, name, outside)};
}

Decision decide_ratio(const Ratio& measured, double published, double tolerance) {
    Decision d{Verdict::reproduced, ratio_words(measured.value), measured.value, measured.interval,
               fmt::format("the interval lies within {:.0f} % of {:g}", 100 * tolerance, published)};
    const bool above = published > 1;
    const auto on_published_side = [&](double value) { return above ? value > 1 : value < 1; };
    const Interval m = measured.interval;
    const Interval target = band(published, tolerance);
    const bool has_side = published != 1;  // else "as fast as": the band alone decides
    if (has_side && holds_one(m)) {
        d.verdict = Verdict::inconclusive;
        d.because = "the interval holds 1: neither side is shown to be faster";
    } else if (has_side && !on_published_side(m.low) && !on_published_side(m.high)) {
        d.verdict = Verdict::not_reproduced;
        d.because = "the other side is faster";
    } else if (!meets(m, target)) {
        d.verdict = has_side ? Verdict::trend_only : Verdict::not_reproduced;
        d.because = has_side
                        ? "faster as claimed, " + beside_published(measured.value, {published, published})
                        : "one side is faster";
    } else if (!lies_in(m, target)) {
        d.verdict = Verdict::inconclusive;
        d.because = fmt::format("the interval crosses {}, an end of the band around {:g}",
                                three_digits(m.high > target.high ? target.high : target.low), published);
    }
    return d;
}

Decision decide_optimum(const std::vector<LabelledInterval>& candidates, const std::string& expected,
                        double tolerance, const std::string& unit, bool most) {
    const auto best = std::min_element(
        candidates.begin(), candidates.end(),
        [&](const auto& a, const auto& b) { return most ? a.median > b.median : a.median < b.median; });
    const auto wanted = std::find_if(candidates.begin(), candidates.end(),
                                     [&](const auto& c) { return c.label == expected; });
    if (wanted == candidates.end()) return {Verdict::not_run, "", {}, {}, expected + " was not measured"};
    const double apart = most ? best->median / wanted->median : wanted->median / best->median;
    Decision d{Verdict::not_reproduced,
               fmt::format("{} with {:.4g} {}; {} has {:.4g}", best->label, best->median, unit, expected,
                           wanted->median),
               wanted->median, wanted->interval,
               fmt::format("{} takes {} times as long as {}", most ? best->label : expected,
                           ratio_words(apart), most ? expected : best->label)};
    if (wanted == best) d.measured = fmt::format("{} with {:.4g} {}", expected, wanted->median, unit);
    const auto ahead = [&](const LabelledInterval& one, const LabelledInterval& other) {
        const Interval &low = most ? other.interval : one.interval,
                       &high = most ? one.interval : other.interval;
        return !one.reversed && !other.reversed && low.high * (1 + tolerance) < high.low;
    };
    bool beaten = false;
    std::vector<std::string> ties;
    for (const LabelledInterval& other : candidates)
        if (&other == &*wanted || ahead(*wanted, other))
            continue;
        else if (ahead(other, *wanted))
            beaten = true;
        else
            ties.push_back(other.label);
    if (beaten) return d;
    d.verdict = ties.empty() ? Verdict::reproduced : Verdict::inconclusive;
    d.because = ties.empty()
                    ? fmt::format("the {} by more than {:g} %", most ? "most" : "least", 100 * tolerance)
                    : fmt::format("not told apart by more than {:g} %: {}", 100 * tolerance, list(ties));
    return d;
}

}  // namespace gridmark::harness
