#include "harness/statistics/statistics.hpp"

#include <algorithm>
#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>

namespace gridmark::harness {
namespace {

std::vector<double> sorted(std::span<const double> samples) {
    if (samples.empty()) throw std::invalid_argument("no samples");
    for (double s : samples)
        if (!std::isfinite(s)) throw std::invalid_argument("a sample is not finite");
    std::vector<double> result(samples.begin(), samples.end());
    std::sort(result.begin(), result.end());
    return result;
}

/// The q-quantile, interpolated linearly between order statistics.
double quantile(const std::vector<double>& ordered, double q) {
    const double at = q * static_cast<double>(ordered.size() - 1);
    const auto below = static_cast<std::size_t>(at);
    const std::size_t above = std::min(below + 1, ordered.size() - 1);
    return ordered[below] + (at - static_cast<double>(below)) * (ordered[above] - ordered[below]);
}

}  // namespace

double median(std::span<const double> samples) {
    const auto ordered = sorted(samples);
    const std::size_t n = ordered.size();
    return n % 2 == 1 ? ordered[n / 2] : std::midpoint(ordered[n / 2 - 1], ordered[n / 2]);
}

std::optional<Ranks> median_ranks(std::size_t n, double confidence) {
    const double tail = (1 - confidence) / 2;
    const double count = static_cast<double>(n);
    double below = 0;  // P(Binomial(n, 1/2) < k), summed in logarithms of each term so that no n overflows
    std::size_t k = 0;
    while (k < n) {
        const double i = static_cast<double>(k);
        const double term =
            std::lgamma(count + 1) - std::lgamma(i + 1) - std::lgamma(count - i + 1) - count * M_LN2;
        if (below + std::exp(term) > tail) break;
        below += std::exp(term);
        ++k;
    }
    if (k == 0) return std::nullopt;
    return Ranks{k - 1, n - k};
}

Interval median_interval(std::span<const double> samples, double confidence) {
    const auto ordered = sorted(samples);
    const auto ranks = median_ranks(ordered.size(), confidence);
    if (!ranks) return {ordered.front(), ordered.back()};
    return {ordered[ranks->low], ordered[ranks->high]};
}

Ratio independent_ratio(std::span<const double> numerator, std::span<const double> denominator) {
    const Interval n = median_interval(numerator, 0.975), d = median_interval(denominator, 0.975);
    return {median(numerator) / median(denominator), {n.low / d.high, n.high / d.low}};
}

Ratio paired_ratio(std::span<const double> numerator, std::span<const double> denominator) {
    if (numerator.size() != denominator.size())
        throw std::invalid_argument("paired samples differ in number");
    std::vector<double> ratios(numerator.size());
    std::transform(numerator.begin(), numerator.end(), denominator.begin(), ratios.begin(), std::divides<>());
    return {median(ratios), median_interval(ratios)};
}

Ratio process_ratio(std::span<const double> numerator, std::span<const std::size_t> numerator_processes,
                    std::span<const double> denominator, std::span<const std::size_t> denominator_processes) {
    const auto n = sorted(process_medians(numerator, numerator_processes)),
               d = sorted(process_medians(denominator, denominator_processes));
    if (n.size() != d.size() || n.size() < 3)
        throw std::invalid_argument("not as many processes each, three or more");
    Ratio ratio{median(numerator) / median(denominator), {}};
    ratio.interval = {ratio.value, ratio.value};
    for (std::size_t k = 0; k < n.size(); ++k) {
        ratio.interval.low = std::min(ratio.interval.low, n[k] / d[k]);
        ratio.interval.high = std::max(ratio.interval.high, n[k] / d[k]);
    }
    return ratio;
}

std::size_t count_outliers(std::span<const double> samples) {
    const auto ordered = sorted(samples);
    const double q1 = quantile(ordered, 0.25), q3 = quantile(ordered, 0.75), reach = 3 * (q3 - q1);
    return static_cast<std::size_t>(std::count_if(
        ordered.begin(), ordered.end(), [&](double s) { return s < q1 - reach || s > q3 + reach; }));
}

double relative_width(std::span<const double> samples) {
    const Interval interval = median_interval(samples);
    return (interval.high - interval.low) / median(samples);
}

std::vector<double> process_medians(std::span<const double> samples,
                                    std::span<const std::size_t> process_samples) {
    if (std::accumulate(process_samples.begin(), process_samples.end(), std::size_t{0}) != samples.size())
        throw std::invalid_argument("process_samples do not add up to the samples");
    std::vector<double> result;
    std::size_t at = 0;
    for (std::size_t n : process_samples) {
        result.push_back(median(samples.subspan(at, n)));
        at += n;
    }
    return result;
}

namespace {

std::vector<double> logarithms(std::span<const double> values, std::size_t least) {
    if (values.size() < least) throw std::invalid_argument("too few values");
    std::vector<double> result;
    for (double value : values) {
        if (!std::isfinite(value) || !(value > 0)) throw std::invalid_argument("a value is not above 0");
        result.push_back(std::log(value));
    }
    return result;
}

}  // namespace

double reach_of_a_process(std::span<const double> process_medians, double confidence) {
    const std::vector<double> logs = logarithms(process_medians, 2);
    const double n = static_cast<double>(logs.size()),
                 mean = std::accumulate(logs.begin(), logs.end(), 0.0) / n;
    double squares = 0;
    for (const double value : logs)
        squares += (value - mean) * (value - mean);
    const double t = boost::math::quantile(boost::math::students_t(n - 1), (1 + confidence) / 2);
    return t * std::sqrt(squares / (n - 1) * (1 + 1 / n));
}

std::vector<Deviation> leave_one_out(std::span<const double> values) {
    const std::vector<double> logs = logarithms(values, 4);
    std::vector<Deviation> result;
    for (std::size_t i = 0; i < logs.size(); ++i) {
        std::vector<double> others = logs;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        const double middle = median(others);
        for (double& other : others)
            other = std::abs(other - middle);
        result.push_back({std::exp(logs[i] - middle), std::exp(1.4826 * median(others))});
    }
    return result;
}

double run_margin(std::span<const double> medians) {
    const std::vector<double> logs = logarithms(medians, margin_runs);
    const auto [least, most] = std::minmax_element(logs.begin(), logs.end());
    return std::exp(2 * (*most - *least));
}

}  // namespace gridmark::harness
