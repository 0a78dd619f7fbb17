// What becomes of a value that is computed, and of one that cannot be.

#include "harness/run/combined.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>

#include "harness/results/result_file.hpp"
#include "harness/results/spread.hpp"
#include "kernels/launch/error.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// The row of a value; fit for a file.
json row_of(std::function<double()> value, bool& gpu_lost) {
    const Computed computed{
        {.name = "e/v/moved", .variant = "v", .parameters = {{"n", 7}}}, "moved", "B", std::move(value)};
    const json row = compute_row("e", computed, gpu_lost);
    EXPECT_NO_THROW(check_result(tests::document(json::array({row})), "row"));
    EXPECT_EQ(row["name"], "e/v/moved");
    EXPECT_EQ(row["quantity"], "moved");
    EXPECT_EQ(row["unit"], "B");
    return row;
}

template <class Thrown>
json row_of_error(const char* reason, bool& gpu_lost) {
    return row_of([reason]() -> double { throw Thrown(reason); }, gpu_lost);
}

TEST(ComputeRow, HoldsTheValue) {
    bool gpu_lost = false;
    const json row = row_of([] { return -96.5; }, gpu_lost);
    EXPECT_EQ(row["status"], "ok");
    EXPECT_EQ(row["median"], -96.5);
    EXPECT_EQ(row["samples"], json::array({-96.5}));
    EXPECT_EQ(row["parameters"], json({{"n", 7}}));
    EXPECT_FALSE(gpu_lost);
}

TEST(ComputeRow, FailsWithoutANumber) {
    bool gpu_lost = false;
    for (const double value : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        const json row = row_of([value] { return value; }, gpu_lost);
        EXPECT_EQ(row["status"], "failed");
        EXPECT_TRUE(row["reason"].get<std::string>().starts_with("its value is not finite")) << row["reason"];
        EXPECT_TRUE(row["median"].is_null());
    }
    const json thrown = row_of_error<std::runtime_error>("singular", gpu_lost);
    EXPECT_EQ(thrown["status"], "failed");
    EXPECT_EQ(thrown["reason"], "singular");
    EXPECT_EQ(row_of_error<launch::OutOfMemory>("needs 900 GiB", gpu_lost)["status"], "failed");
    EXPECT_FALSE(gpu_lost);
}

TEST(ComputeRow, IsSkippedWhereSomethingIsUnavailable) {
    bool gpu_lost = false;
    const json row = row_of_error<launch::Unavailable>("no cuSPARSE", gpu_lost);
    EXPECT_EQ(row["status"], "skipped");
    EXPECT_EQ(row["reason"], "no cuSPARSE");
    EXPECT_FALSE(gpu_lost);
}

TEST(ComputeRow, TellsThatTheGpuIsLost) {
    bool gpu_lost = false;
    EXPECT_EQ(row_of_error<launch::Error>("illegal address", gpu_lost)["status"], "failed");
    EXPECT_TRUE(gpu_lost);
}

}  // namespace

namespace {

using nlohmann::json;

/// Ten times the first, and the second.
double ten_and_one(const std::vector<double>& medians) {
    return 10 * medians.at(0) + medians.at(1);
}

class DerivedRow : public testing::Test {
  protected:
    /// The row as derived; fit for a file.
    json row() const {
        json result = derived_row("e", derived, [&](const std::string& name) -> const Row* {
            const auto found = rows.find(name);
            return found == rows.end() ? nullptr : &found->second;
        });
        EXPECT_NO_THROW(check_result(tests::document(json::array({result})), "row"));
        return result;
    }
    void expect_none(const std::string& status, const std::string& reason) const {
        const json found = row();
        EXPECT_EQ(found["status"], status);
        EXPECT_EQ(found["reason"], reason);
        EXPECT_TRUE(found["median"].is_null());
    }

    Derived derived{{.name = "e/v/fit", .variant = "v", .parameters = {{"n", 7}}},
                    "slope",
                    "us",
                    {"b", "a"},
                    ten_and_one};
    std::map<std::string, Row> rows{{"a", tests::timed_row("a", {1, 2, 6})},
                                    {"b", tests::timed_row("b", {3, 4, 5})},
                                    {"c", tests::row_without_time("c", "skipped", "no GPU")},
                                    {"d", tests::row_without_time("d", "failed", "crash")}};
};

TEST_F(DerivedRow, IsOfTheMediansInTheirOrder) {
    const json found = row();
    EXPECT_EQ(found["median"], 42) << "b has 4, a has 2";
    EXPECT_EQ(found["name"], "e/v/fit");
    EXPECT_EQ(found["variant"], "v");
    EXPECT_EQ(found["parameters"], json({{"n", 7}}));
    EXPECT_EQ(found["quantity"], "slope");
    EXPECT_EQ(found["unit"], "us");
    EXPECT_TRUE(found["clock"].is_null());
    EXPECT_EQ(found["status"], "ok");
    EXPECT_TRUE(found["reason"].is_null());
}

TEST_F(DerivedRow, HasNeitherSamplesNorAnInterval) {
    const json found = row();
    EXPECT_EQ(found["samples"], json::array());
    EXPECT_FALSE(found.contains("process_samples"));
    EXPECT_TRUE(found["interval"].is_null());
}

// Three processes, of whose medians 2 and 4 are the middle; an exact row counts in each of them.
TEST_F(DerivedRow, HasASampleOfEachProcessWhereAsked) {
    derived.by_process = true;
    Row a = tests::timed_row("a", {1, 2, 6}), b = tests::timed_row("b", {3, 4, 5});
    for (const double shift : {1.0, -1.0}) {
        a = join_processes(a, tests::timed_row("a", {1 + shift, 2 + shift, 6 + shift}));
        b = join_processes(b, tests::timed_row("b", {3 + shift, 4 + shift, 5 + shift}));
    }
    finish_row(a, {Preset::paper, 3, true});
    finish_row(b, {Preset::paper, 3, true});
    rows = {{"a", a}, {"b", b}};
    json found = row();
    EXPECT_EQ(found["median"], 42);
    EXPECT_EQ(found["samples"], (std::vector<double>{42, 53, 31}));
    EXPECT_EQ(found["process_samples"], (std::vector<int>{1, 1, 1}));
    EXPECT_LT(found["interval"][0], 31);
    EXPECT_GT(found["interval"][1], 53);
    set_exact_value(rows["a"], 7);
    found = row();
    EXPECT_EQ(found["samples"], (std::vector<double>{47, 57, 37}));
    // Its median is that of its samples, whatever the medians' value would be.
    const auto linear = derived.value;
    derived.value = [&](const std::vector<double>& m) { return std::abs(linear(m) - 47); };
    EXPECT_EQ(row()["samples"], (std::vector<double>{0, 10, 10}));
    EXPECT_EQ(row()["median"], 10);
    derived.value = linear;
    // Where the processes differ in number no value belongs to one of them.
    rows["a"] = tests::timed_row("a", {1, 2, 6});
    found = row();
    EXPECT_EQ(found["median"], 42);
    EXPECT_EQ(found["samples"], json::array());
    EXPECT_TRUE(found["interval"].is_null());
}

TEST_F(DerivedRow, HasNoNumberWithoutAllOthers) {
    derived.from = {"a", "c", "d"};
    expect_none("skipped", "no GPU");
    derived.from = {"a", "d", "c"};
    expect_none("failed", "crash");
    derived.from = {"a", "nowhere", "d"};
    expect_none("skipped", "nowhere was not measured");
}

TEST_F(DerivedRow, IsAnEstimateWhereAnotherIs) {
    rows["a"].status = Status::estimate;
    rows["a"].reason = "preset quick";
    const json found = row();
    EXPECT_EQ(found["median"], 42);
    EXPECT_EQ(found["status"], "estimate");
    EXPECT_EQ(found["reason"], "preset quick");
}

TEST_F(DerivedRow, FailsWithoutAFiniteValue) {
    derived.value = [](const auto&) { return std::nan(""); };
    expect_none("failed", "its value is not finite: nan");
    derived.value = [](const std::vector<double>&) -> double { throw std::domain_error("no fit"); };
    expect_none("failed", "no fit");
}

}  // namespace

namespace {

using nlohmann::json;

const Standards three_launches{Preset::paper, 3, true};
const Difference cost{
    {.name = "e/v/cost", .variant = "v", .parameters = {{"n", 7}}}, "cost", "e/v/step", "e/v/kernel"};

/// A time measured by several processes.
Row row_of(const std::vector<std::vector<double>>& launches, const Standards& standards = three_launches) {
    Row row = tests::timed_row("e/v/step", launches.front());
    for (std::size_t l = 1; l < launches.size(); ++l)
        row = join_processes(row, tests::timed_row("e/v/step", launches[l]));
    finish_row(row, standards);
    return row;
}
/// The row of the difference of two, null where a run left one out.
json difference_of(const Row* step, const Row* kernel) {
    const auto find = [&](const std::string& name) { return name == cost.minuend ? step : kernel; };
    return difference_row("e", cost, find, three_launches);
}
std::vector<double> nine(double first) {
    return tests::samples_from(first, 0.1);
}

TEST(Difference, IsTakenSampleBySampleWithinEachProcess) {
    const Row step = row_of({{5, 6, 7}, {8, 9}, {4, 4}}), kernel = row_of({{1, 2}, {3, 5, 7}, {1, 2}});
    const json row = difference_of(&step, &kernel);
    EXPECT_EQ(row["name"], "e/v/cost");
    EXPECT_EQ(row["variant"], "v");
    EXPECT_EQ(row["parameters"], json_of(cost.parameters));
    EXPECT_EQ(row["quantity"], "cost");
    EXPECT_EQ(row["unit"], "us");
    EXPECT_TRUE(row["clock"].is_null());
    EXPECT_EQ(row["samples"], (std::vector<double>{4, 4, 5, 4, 3, 2}));
    EXPECT_EQ(row["process_samples"], (std::vector<int>{2, 2, 2}));
    EXPECT_EQ(row["median"], 4);
    EXPECT_TRUE(row["interval"].is_array());
    const auto find = [&](const std::string& name) { return name == cost.minuend ? &step : &kernel; };
    EXPECT_EQ(difference_row("e", cost, find, three_launches).machines_differ_by,
              machines_of_difference(step, kernel))
        << "the spread of both";
}

TEST(Difference, MayBeBelowZero) {
    const Row step = row_of({nine(1), nine(1), nine(1)}), kernel = row_of({nine(3), nine(3), nine(3)});
    const json row = difference_of(&step, &kernel);
    EXPECT_EQ(row["status"], "ok");
    EXPECT_NEAR(row["median"].get<double>(), -2, 1e-12);
}

TEST(Difference, IsAnEstimateWhereAPartIs) {
    const Row good = row_of({nine(5), nine(5), nine(5)}), poor = row_of({nine(2)});
    ASSERT_EQ(good.status, Status::ok);
    ASSERT_EQ(poor.status, Status::estimate);
    for (const auto& [step, kernel] : {std::pair(&good, &poor), std::pair(&poor, &good)}) {
        const json row = difference_of(step, kernel);
        EXPECT_EQ(row["status"], "estimate");
        EXPECT_EQ(row["reason"], poor.reason);
    }
}

TEST(Difference, HasNoNumberWithoutBoth) {
    const Row step = row_of({nine(5)}), skipped = tests::row_without_time("e/v/kernel", "skipped", "no GPU");
    const json row = difference_of(&step, &skipped);
    EXPECT_EQ(row["status"], "skipped");
    EXPECT_EQ(row["reason"], "no GPU");
    EXPECT_TRUE(row["median"].is_null());
    const json missing = difference_of(nullptr, &step);
    EXPECT_EQ(missing["status"], "skipped");
    EXPECT_EQ(missing["reason"], "e/v/step was not measured");
    const Row failed = tests::row_without_time("e/v/step", "failed", "crash");
    EXPECT_EQ(difference_of(&failed, &step)["status"], "failed");
}

// A set that was measured before a value was thought of.
TEST_F(DerivedRow, IsMadeOfSavedRowsThatLackIt) {
    Derived known = derived, none = derived;
    known.name = "a";
    none.name = "e/v/none";
    none.from = {"c", "a"};
    std::vector<Row> saved;
    for (const auto& [name, row] : rows)
        saved.push_back(row);
    const auto made =
        missing_derived_rows("e", {.groups = {}, .profiled = {}, .derived = {known, derived, none}}, saved);
    ASSERT_EQ(made.size(), 1U);
    EXPECT_EQ(made[0].name, "e/v/fit");
    EXPECT_EQ(made[0].median, 42);
}

}  // namespace

}  // namespace gridmark::harness
