#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// Statistics of timing samples as pure functions. Nothing here assumes a distribution: intervals come from
/// ranks.
namespace gridmark::harness {

/// A closed interval.
struct Interval {
    double low, high;
    bool operator==(const Interval&) const = default;
};

/// The middle value, or the mean of the two middle ones. Throws std::invalid_argument when empty or not
/// finite.
double median(std::span<const double> samples);

/// Ranks (from 0, both ends inclusive) whose order statistics hold the population's median with at least
/// `confidence`: the largest k with P(Binomial(n, 1/2) <= k) <= (1 - confidence) / 2, and n - 1 - k. Empty
/// when n is too small (n < 6 for 95 %).
struct Ranks {
    std::size_t low, high;
};
std::optional<Ranks> median_ranks(std::size_t n, double confidence = 0.95);

/// The rank interval of the median; the whole range of the samples when they are too few for the confidence.
Interval median_interval(std::span<const double> samples, double confidence = 0.95);

/// A ratio of medians with its interval.
struct Ratio {
    double value;
    Interval interval;
};

/// numerator / denominator of two independent sets: the two 97.5 % intervals divided end against end, so that
/// both hold together with at least 95 % (Bonferroni).
Ratio independent_ratio(std::span<const double> numerator, std::span<const double> denominator);

/// The same from samples taken in turns (k-th beside k-th): median and rank interval of the pairwise ratios.
/// Throws std::invalid_argument when the lengths differ.
Ratio paired_ratio(std::span<const double> numerator, std::span<const double> denominator);

/// numerator / denominator of two sets that were measured in as many processes each, at least three
/// (`..._processes`: how many samples each added). The medians of the processes of each set are put in
/// order, and the k-th of one stands beside the k-th of the other; the interval holds all of these ratios. So
/// a difference must show in every process, the fastest as the slowest, and what processes of one set differ
/// by hides none. Throws std::invalid_argument for other numbers of processes.
Ratio process_ratio(std::span<const double> numerator, std::span<const std::size_t> numerator_processes,
                    std::span<const double> denominator, std::span<const std::size_t> denominator_processes);

/// How many samples lie further than three quartile ranges outside the quartiles. They are counted, never
/// dropped.
std::size_t count_outliers(std::span<const double> samples);

/// Whole width of the interval relative to its median: the precision that a stopping rule asks for.
double relative_width(std::span<const double> samples);

/// The median of each process; `process_samples` says how many samples each added, in order.
std::vector<double> process_medians(std::span<const double> samples,
                                    std::span<const std::size_t> process_samples);

/// How far the median of one more process lies from that of all with this confidence, either way, as a
/// logarithm: Student's t of the logarithms of at least two medians, times their standard deviation and
/// sqrt(1 + 1/n). Throws std::invalid_argument for fewer, or one that is not finite or not above 0. Source: a
/// prediction interval for one future observation (G. J. Hahn and W. Q. Meeker, Statistical Intervals, 1991,
/// chapter 4).
double reach_of_a_process(std::span<const double> process_medians, double confidence);

/// How one value stands beside the others of its kind.
struct Deviation {
    double ratio;   ///< the value / the median of the others
    double spread;  ///< of the others about their median, as a factor of at least 1
};

/// The deviation of each value, itself left out, so that one far value hides neither itself nor in the
/// spread. The spread is 1.4826 times the median absolute deviation of the logarithms (the standard
/// deviation, if they are normal), as a factor. Throws std::invalid_argument for fewer than four values, or
/// one that is not finite or not above 0.
std::vector<Deviation> leave_one_out(std::span<const double> values);

/// The factor that the medians of two runs may differ by without a cause, from the medians of at least five
/// runs of one program on one kind of machine: the square of largest / smallest, that is twice their whole
/// spread. Two further runs of a normal distribution lie further apart in 2.6 % of cases with five runs, in
/// 0.2 % with ten. No run is left out: without the farthest, equal runs would differ far more often. Throws
/// std::invalid_argument for fewer than five, or one that is not finite or not above 0.
double run_margin(std::span<const double> medians);
constexpr std::size_t margin_runs = 5;

}  // namespace gridmark::harness
