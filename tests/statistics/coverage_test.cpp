// Do the intervals hold what they promise? Simulated with fixed seeds on skewed data with a long tail, as
// times are.

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

constexpr int trials = 2000;

/// Times of a log-normal kind about `centre`, their true median.
std::vector<double> times(std::mt19937& engine, std::size_t n, double centre) {
    std::lognormal_distribution<double> distribution(std::log(centre), 0.5);
    std::vector<double> samples(n);
    for (double& s : samples)
        s = distribution(engine);
    return samples;
}

bool holds(const Interval& interval, double value) {
    return interval.low <= value && value <= interval.high;
}

class Coverage : public testing::TestWithParam<std::size_t> {};

TEST_P(Coverage, OfTheMedian) {
    std::mt19937 engine(11);
    int held = 0;
    for (int trial = 0; trial < trials; ++trial)
        held += holds(median_interval(times(engine, GetParam(), 3)), 3);
    EXPECT_GE(held, 0.94 * trials);
    EXPECT_LT(held, 0.99 * trials) << "wider than promised";
}

TEST_P(Coverage, OfIndependentRatios) {
    std::mt19937 engine(12);
    int held = 0;
    for (int trial = 0; trial < trials; ++trial)
        held +=
            holds(independent_ratio(times(engine, GetParam(), 6), times(engine, GetParam(), 3)).interval, 2);
    EXPECT_GE(held, 0.95 * trials);
}

TEST_P(Coverage, OfPairedRatios) {
    std::mt19937 engine(13);
    int held = 0;
    for (int trial = 0; trial < trials; ++trial) {
        const auto drift = times(engine, GetParam(), 1);
        auto numerator = times(engine, GetParam(), 6), denominator = times(engine, GetParam(), 3);
        for (std::size_t k = 0; k < drift.size(); ++k) {
            numerator[k] *= drift[k];
            denominator[k] *= drift[k];
        }
        held += holds(paired_ratio(numerator, denominator).interval, 2);
    }
    EXPECT_GE(held, 0.94 * trials);
}

// One more process, not the median of all: what processes differ by does not become less by their number.
TEST(CoverageOfAProcess, IsWhatWasAskedFor) {
    std::mt19937 engine(14);
    std::normal_distribution<double> logarithm(1, 0.1);
    const auto process = [&] { return std::exp(logarithm(engine)); };
    for (const std::size_t n : {2, 3, 9}) {
        int held = 0;
        for (int trial = 0; trial < 5 * trials; ++trial) {
            std::vector<double> medians(n);
            double mean = 0;
            for (double& m : medians) {
                m = process();
                mean += std::log(m) / static_cast<double>(n);
            }
            held += std::abs(std::log(process()) - mean) <= reach_of_a_process(medians, 0.9);
        }
        EXPECT_NEAR(held, 0.9 * 5 * trials, 0.01 * 5 * trials) << n;
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, Coverage, testing::Values(9U, 30U), testing::PrintToStringParamName());

}  // namespace
}  // namespace gridmark::harness
