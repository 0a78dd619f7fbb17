// What a row keeps of what a file says, and what it makes of its limits and of what disturbed it.

#include <gtest/gtest.h>

#include <limits>

#include "harness/results/row.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

json limit_of(const char* ceiling, double value, double share) {
    return {{"ceiling", ceiling}, {"value", value}, {"unit", "us"}, {"share", share}};
}

/// A row in which every key holds something of its own.
json everything() {
    json row = tests::timed_row("a/b", {3, 1, 2, 9},
                                {{"process_samples", {1, 3}},
                                 {"iterations", 17},
                                 {"experiment", "heat"},
                                 {"variant", "gpu_v"},
                                 {"parameters", {{"nx", 512}, {"tile", "x"}, {"s", 1.5}, {"repeated", true}}},
                                 {"quantity", "overlap"},
                                 {"unit", "ms"},
                                 {"clock", "step"},
                                 {"group", "g"},
                                 {"stopped", "budget"},
                                 {"status", "estimate"},
                                 {"reason", "quick"},
                                 {"outliers", 2},
                                 {"bytes", 11},
                                 {"flops", 13}});
    row["memory"] = {{"host", 5}, {"gpu", 6}};
    row["limit"] = limit_of("gpu_l2_bandwidth", 2, 0.8);
    row["stepwise_limit"] = limit_of("gpu_copy_bandwidth", 4, 1.6);
    row["binding"] = {{"ceiling", "gpu_launch"}, {"term", 1}, {"time", 3}, {"unit", "ms"}};
    row["by_host"] = 0.5;
    row["machines_differ_by"] = 0.25;
    row["made_by"] = "jax 0.11.2";
    row["counted_by"] = "a + b";
    row["kernel"] = {{"registers", 40},
                     {"static_shared", 4096},
                     {"blocks_per_multiprocessor", 3},
                     {"threads_per_block", 256},
                     {"occupancy", 0.375}};
    row["counters"] = {{"cycles", 12}, {"reasons", {{"misses", "not permitted"}}}};
    row["disturbed"] = {{"by", {"one", "two"}}, {"allowed", false}};
    row["spans"] = {{0.0, 1.5}, {2.0, 2.5}};
    return row;
}

TEST(RowRecord, HoldsAllThatAFileSays) {
    const json full = everything();
    EXPECT_EQ(json(full.get<Row>()), full);
    json allowed = full;
    allowed["disturbed"]["allowed"] = true;
    EXPECT_EQ(json(allowed.get<Row>()), allowed);
    json beaten = full;
    beaten["beaten_limit"] = limit_of("gpu_launch", 3, 1.2);
    beaten["limit"] = nullptr;
    EXPECT_EQ(json(beaten.get<Row>()), beaten);
}

TEST(RowRecord, SaysNothingOfWhatIsNotKnown) {
    json bare = tests::row_without_time("a", "failed", "x", {{"clock", nullptr}});
    bare["bytes"] = bare["flops"] = nullptr;
    bare.erase("outliers");
    EXPECT_EQ(json(bare.get<Row>()), bare);
}

// Files from before the number of threads was kept hold no 0 in its place.
TEST(RowRecord, OfAnOlderKernelKeepsItsThreadsUnknown) {
    json old = everything();
    old["kernel"].erase("threads_per_block");
    old["kernel"].erase("occupancy");
    EXPECT_EQ(json(old.get<Row>()), old);
}

TEST(RowRecord, RefusesAnUnknownStatusAndKeepsTheKnownOnes) {
    for (const Status status :
         {Status::ok, Status::estimate, Status::skipped, Status::failed, Status::forecast}) {
        json row = everything();
        row["status"] = to_string(status);
        EXPECT_EQ(row.get<Row>().status, status);
    }
    json odd = everything();
    odd["status"] = "fine";
    EXPECT_ANY_THROW(odd.get<Row>());
    odd.erase("status");
    EXPECT_THROW(odd.get<Row>(), json::exception);
}

TEST(RowParameters, KeepTheirTypesAndAreReadByThem) {
    const json object{{"on", true}, {"n", 4096}, {"s", 0.1}, {"whole", 2.0}, {"word", "float"}};
    const Parameters parameters = parameters_from(object);
    EXPECT_EQ(json_of(parameters), object);
    EXPECT_TRUE(json_of(parameters)["whole"].is_number_float());
    EXPECT_EQ(value_of<std::int64_t>(parameters, "n", 1), 4096);
    EXPECT_EQ(value_of<double>(parameters, "n", 1.5), 1.5) << "of another type";
    EXPECT_EQ(value_of<bool>(parameters, "on", false), true);
    EXPECT_EQ(value_of<std::string>(parameters, "none", "otherwise"), "otherwise");
}

TEST(RowParameters, AreTextAsTheCommandLineTakesIt) {
    EXPECT_EQ(to_text(true), "yes");
    EXPECT_EQ(to_text(false), "no");
    EXPECT_EQ(to_text(std::int64_t{4096}), "4096");
    EXPECT_EQ(to_text(0.1), "0.1");
    EXPECT_EQ(to_text(std::string("float")), "float");
}

TEST(SelectedValue, IsOfTheRowBeforeItIsOfAParameter) {
    const Row row = everything().get<Row>();
    EXPECT_EQ(selected_value(row, "experiment").get<std::string>(), "heat");
    EXPECT_EQ(selected_value(row, "quantity").get<std::string>(), "overlap");
    EXPECT_EQ(selected_value(row, "status").get<std::string>(), "estimate");
    EXPECT_EQ(selected_value(row, "repeated"), true);
    EXPECT_EQ(selected_value(row, "s"), 1.5);
    EXPECT_TRUE(selected_value(row, "unit").is_null());
}

TEST(Verifications, PassUpToTheirToleranceAndNeverByNan) {
    EXPECT_TRUE((Verification{"x", 0.5, 0.5, 1}).passed());
    EXPECT_FALSE((Verification{"x", 0.5000001, 0.5, 1}).passed());
    EXPECT_TRUE((Verification{"x", 0, 0, 1}).passed());
    EXPECT_FALSE((Verification{"x", std::numeric_limits<double>::quiet_NaN(), 0.5, 1}).passed());
}

// --- what disturbed it

Row disturbed_by(const std::vector<Disturbance>& all) {
    Row row = tests::timed_row("a", {1, 2, 3}).get<Row>();
    for (const Disturbance& one : all)
        row.disturb(one);
    return row;
}

TEST(Disturbed, NamesEachOnceInTheirOrder) {
    const Row row = disturbed_by({{{"b", "a"}, true}, {{"a", "c"}, true}, {{"b"}, true}});
    EXPECT_EQ(row.disturbed->by, (std::vector<std::string>{"b", "a", "c"}));
    EXPECT_TRUE(row.disturbed->allowed);
    EXPECT_TRUE(row.fit());
    EXPECT_EQ(row.why_unfit(), "");
}

TEST(Disturbed, IsAllowedOnlyWhileAllThatDisturbedItWas) {
    for (const auto& all : std::vector<std::vector<Disturbance>>{
             {{{"a"}, false}}, {{{"a"}, false}, {{"b"}, true}}, {{{"a"}, true}, {{"b"}, false}}}) {
        const Row row = disturbed_by(all);
        EXPECT_FALSE(row.disturbed->allowed);
        EXPECT_FALSE(row.fit());
        EXPECT_EQ(row.why_unfit(), all.size() == 1 ? "disturbed: a" : "disturbed: a, b");
    }
}

// --- limits

Row limited(double limit, double median, std::optional<double> stepwise = std::nullopt) {
    Row row = tests::timed_row("a", {median}).get<Row>();
    row.limit = Limit{"gpu_copy_bandwidth", limit, "us"};
    if (stepwise) row.stepwise_limit = Limit{"gpu_l2_bandwidth", *stepwise, "us"};
    row.set_shares();
    return row;
}

TEST(SharesOfLimits, AreLimitOverMeasured) {
    const Row row = limited(3, 4, 8);
    EXPECT_DOUBLE_EQ(row.limit->share, 0.75);
    EXPECT_DOUBLE_EQ(row.stepwise_limit->share, 2) << "many steps at a time may beat one at a time";
    EXPECT_FALSE(row.beaten_limit);
}

TEST(SharesOfLimits, OfAFasterRowAreOfABeatenOneBeyondTwoPercent) {
    EXPECT_TRUE(limited(102, 100).limit) << "by 2 % and no more";
    const Row beaten = limited(103, 100);
    EXPECT_FALSE(beaten.limit);
    ASSERT_TRUE(beaten.beaten_limit);
    EXPECT_DOUBLE_EQ(beaten.beaten_limit->share, 1.03);
}

TEST(SharesOfLimits, FollowTheMedianBothWays) {
    Row row = limited(103, 100);
    row.median = 206;
    row.set_shares();
    ASSERT_TRUE(row.limit) << "slower, it beats the limit no more";
    EXPECT_FALSE(row.beaten_limit);
    EXPECT_DOUBLE_EQ(row.limit->share, 0.5);
    row.median = 100;
    row.set_shares();
    ASSERT_TRUE(row.beaten_limit);
    EXPECT_DOUBLE_EQ(row.beaten_limit->share, 1.03);
}

}  // namespace
}  // namespace gridmark::harness
