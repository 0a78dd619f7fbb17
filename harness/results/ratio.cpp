#include "harness/results/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace gridmark::harness {
namespace {

Interval widened(Interval interval, double value) {
    return {std::min(interval.low, value), std::max(interval.high, value)};
}

bool same_pair(const Row& a, const Row& b) {
    return !a.group.empty() && a.group == b.group && a.samples.size() == b.samples.size() &&
           a.samples_by_process() == b.samples_by_process();
}

/// False where a quotient that row_ratio may form is no finite number above 0, as of a sample of 1e300 and
/// one of 1e-300, or of a pair of which one is 0 although its median is not.
bool quotients_are_numbers(const Row& numerator, const Row& denominator) {
    const Interval n = row_interval(numerator), d = row_interval(denominator);
    if (!std::isfinite(n.high / d.low) || !(n.low / d.high > 0)) return false;
    if (!same_pair(numerator, denominator)) return true;
    const auto above = numerator.values(), below = denominator.values();
    for (std::size_t i = 0; i < above.size(); ++i)
        if (!std::isfinite(above[i] / below[i])) return false;
    return true;
}

}  // namespace

Interval row_interval(const Row& row) {
    const auto samples = row.values();
    Interval interval = median_interval(samples);
    for (double m : process_medians(samples, row.samples_by_process()))
        interval = widened(interval, m);
    return interval;
}

Ratio row_ratio(const Row& numerator, const Row& denominator, Runs runs) {
    const bool paired = runs == Runs::same && same_pair(numerator, denominator);
    const auto n = numerator.values(), d = denominator.values();
    const auto n_by_process = numerator.samples_by_process(), d_by_process = denominator.samples_by_process();
    if (runs == Runs::different && n_by_process.size() == d_by_process.size() && n_by_process.size() >= 3)
        return process_ratio(n, n_by_process, d, d_by_process);
    Ratio ratio = paired ? paired_ratio(n, d) : independent_ratio(n, d);
    ratio.value = median(n) / median(d);
    ratio.interval = widened(ratio.interval, ratio.value);
    const auto n_medians = process_medians(n, n_by_process), d_medians = process_medians(d, d_by_process);
    for (std::size_t i = 0; i < n_medians.size(); ++i) {
        // Process by process where both rows were measured together; else every pair.
        if (paired)
            ratio.interval = widened(ratio.interval, n_medians[i] / d_medians[i]);
        else
            for (double base : d_medians)
                ratio.interval = widened(ratio.interval, n_medians[i] / base);
    }
    return ratio;
}

std::string why_no_ratio(const Row& numerator, const Row& denominator) {
    for (const Row* row : {&numerator, &denominator})
        if (!(row_interval(*row).low > 0)) return row->name + " may be 0 or below, which has no ratio";
    if (!quotients_are_numbers(numerator, denominator))
        return fmt::format("{} and {} are too far apart for a ratio", numerator.name, denominator.name);
    return {};
}

}  // namespace gridmark::harness
