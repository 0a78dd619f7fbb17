// Numerator over denominator by a GPU's other clock: by operations, and only where both clocks tell them
// apart.

#include <gtest/gtest.h>

#include "harness/verdicts/other_clock.hpp"
#include "harness/verdicts/pairs.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::time_of;

json by_a_clock(json row, bool kernel, double operations) {
    row["clock"] = kernel ? "kernel" : "step";
    row["name"] = row["name"].get<std::string>() + (kernel ? "/kernel" : "/step");
    row["parameters"][kernel ? "cache" : "launch"] = kernel ? "hot" : "graph";
    row["flops"] = operations;
    row["group"] = nullptr;
    return row;
}

// Of ten times the operations 20 us are faster an operation than 10 us: by 0.2. The other clock says 3.
TEST(OtherClocksRatio, IsByTheSameFactorOfOperations) {
    const std::vector<Row> rows =
        json{by_a_clock(time_of("a", "8", 20), true, 1000), by_a_clock(time_of("b", "8", 10), true, 100),
             by_a_clock(time_of("a", "8", 300), false, 1000), by_a_clock(time_of("b", "8", 10), false, 100)};
    const json per_flops{{"per", "flops"}};
    const Ratio own = ratio_of({"p", rows[0], rows[1]}, per_flops);
    EXPECT_NEAR(own.value, 0.2, 1e-9);
    const auto other = reversed_ratio(rows[0], rows[1], own, rows);
    ASSERT_TRUE(other);
    EXPECT_NEAR(other->value, 3, 1e-9);
    EXPECT_GT(other->interval.low, 2.7);
    EXPECT_LT(other->interval.high, 3.3);
    EXPECT_FALSE(reversed_ratio(rows[0], rows[1], ratio_of({"p", rows[0], rows[1]}, json::object()), rows))
        << "of times alone both say that b is faster";
}

/// Whether the other clock's 10 or so over 10 reverses the interval that the own clock has.
bool reverses(const Interval& own, double other) {
    const std::vector<Row> rows =
        json{by_a_clock(time_of("a", "8", 20), true, 1), by_a_clock(time_of("b", "8", 20), true, 1),
             by_a_clock(time_of("a", "8", other), false, 1), by_a_clock(time_of("b", "8", 10), false, 1)};
    return reversed_ratio(rows[0], rows[1], {1, own}, rows).has_value();
}

TEST(OtherClocksRatio, ReversesOnlyWhatBothClocksTellApart) {
    EXPECT_TRUE(reverses({1.01, 1.2}, 5));
    EXPECT_TRUE(reverses({0.8, 0.99}, 20));
    EXPECT_FALSE(reverses({0.99, 1.2}, 5)) << "its own clock does not tell";
    EXPECT_FALSE(reverses({0.8, 1.01}, 20)) << "its own clock does not tell";
    EXPECT_FALSE(reverses({1, 1.2}, 5)) << "one end on 1";
    EXPECT_FALSE(reverses({0.8, 1}, 20)) << "one end on 1";
    EXPECT_FALSE(reverses({1.01, 1.2}, 9.9)) << "the other clock does not tell";
    EXPECT_FALSE(reverses({0.8, 0.99}, 10.1)) << "the other clock does not tell";
    EXPECT_FALSE(reverses({1.01, 1.2}, 20)) << "both say so";
}

// A published number of the other clock has no width: its ratio may end on 1.
TEST(OtherClocksRatio, ThatIsOneReversesNothing) {
    std::vector<Row> rows =
        json{by_a_clock(time_of("a", "8", 20), true, 1), by_a_clock(time_of("b", "8", 20), true, 1),
             by_a_clock(time_of("a", "8", 10), false, 1), by_a_clock(time_of("b", "8", 10), false, 1)};
    for (Row& row : rows)
        row.samples.clear(), row.process_samples.clear();
    for (const Interval& own : {Interval{1.01, 1.2}, {0.8, 0.99}})
        EXPECT_FALSE(reversed_ratio(rows[0], rows[1], {1, own}, rows)) << own.low;
    rows[2].median = 9;
    EXPECT_TRUE(reversed_ratio(rows[0], rows[1], {1, {1.01, 1.2}}, rows));
}

TEST(OtherClocksRatio, IsNoneOfWhatMayBeZero) {
    const json none{{"samples", {-1, 1, 2}}, {"process_samples", {3}}, {"median", 1}};
    std::vector<Row> rows =
        json{by_a_clock(time_of("a", "8", 20), true, 1), by_a_clock(time_of("b", "8", 20), true, 1),
             by_a_clock(time_of("a", "8", 1, none), false, 1), by_a_clock(time_of("b", "8", 10), false, 1)};
    EXPECT_FALSE(reversed_ratio(rows[0], rows[1], {1, {1.01, 1.2}}, rows));
}

TEST(OtherClock, IsOfTimesAlone) {
    const auto rows_in = [](const char* quantity) -> std::vector<Row> {
        const json changes{{"quantity", quantity}};
        return json{by_a_clock(time_of("a", "8", 20, changes), true, 1),
                    by_a_clock(time_of("a", "8", 20, changes), false, 1)};
    };
    const auto times = rows_in("time"), rates = rows_in("rate");
    EXPECT_EQ(by_other_clock(times[0], times), &times[1]);
    EXPECT_EQ(by_other_clock(times[1], times), &times[0]);
    EXPECT_EQ(other_clock_of(times[0]), "step/graph");
    EXPECT_EQ(other_clock_of(times[1]), "kernel/hot");
    EXPECT_EQ(by_other_clock(rates[0], rates), nullptr);
    EXPECT_EQ(other_clock_of(rates[0]), "");
}

}  // namespace
}  // namespace gridmark::harness
