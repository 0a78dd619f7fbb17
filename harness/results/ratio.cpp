#include "harness/results/ratio.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/results/spread.hpp"

namespace gridmark::harness {
namespace {

Interval widened(Interval interval, double value) {
    return {std::min(interval.low, value), std::max(interval.high, value)};
}

Interval widened(Interval interval, const Interval& other) {
    return widened(widened(interval, other.low), other.high);
}

/// The value, give or take a logarithm.
Interval about(double value, double reach) {
    return {value * std::exp(-reach), value * std::exp(reach)};
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
    const auto medians = process_medians(samples, row.samples_by_process());
    const double middle = median(samples);
    const bool is_factor = middle > 0 && *std::min_element(medians.begin(), medians.end()) > 0;
    if (is_factor && medians.size() > 1) return about(middle, repeat_reach(row));
    Interval interval = median_interval(samples);
    for (const double m : medians)
        interval = widened(interval, m);
    if (is_factor) return widened(interval, about(middle, machine_reach(row)));
    const double differ = row.machines_differ_by.value_or(0);
    return widened(interval, Interval{middle - differ, middle + differ});
}

Ratio row_ratio(const Row& numerator, const Row& denominator, Runs runs) {
    const auto n = numerator.values(), d = denominator.values();
    const auto n_by_process = numerator.samples_by_process(), d_by_process = denominator.samples_by_process();
    const std::size_t processes = std::min(n_by_process.size(), d_by_process.size());
    const bool as_many = n_by_process.size() == d_by_process.size();
    if (runs == Runs::different && as_many && processes >= 3)
        return process_ratio(n, n_by_process, d, d_by_process);
    const double value = median(n) / median(d);
    if (runs == Runs::same && as_many && processes >= 2) {
        std::vector<double> ratios = process_medians(n, n_by_process);
        const auto below = process_medians(d, d_by_process);
        std::transform(ratios.begin(), ratios.end(), below.begin(), ratios.begin(), std::divides<>());
        const double machines = std::hypot(machine_reach(numerator), machine_reach(denominator));
        return {value, about(value, std::max(machines, reach_of_a_process(ratios, confidence)))};
    }
    const Interval interval = about(value, std::hypot(repeat_reach(numerator), repeat_reach(denominator)));
    if (processes >= 2) return {value, interval};
    const bool in_turns = runs == Runs::same && same_pair(numerator, denominator);
    return {value, widened(interval, (in_turns ? paired_ratio(n, d) : independent_ratio(n, d)).interval)};
}

std::string why_no_ratio(const Row& numerator, const Row& denominator) {
    for (const Row* row : {&numerator, &denominator})
        if (!(row_interval(*row).low > 0)) return row->name + " may be 0 or below, which has no ratio";
    if (!quotients_are_numbers(numerator, denominator))
        return fmt::format("{} and {} are too far apart for a ratio", numerator.name, denominator.name);
    return {};
}

}  // namespace gridmark::harness
