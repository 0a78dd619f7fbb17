#include "harness/run/combined.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "harness/results/result_file.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
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

    Derived derived{"e/v/fit", "v", {{"n", 7}}, "slope", "us", {"b", "a"}, ten_and_one};
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
    EXPECT_EQ(found["run_type"], "aggregate");
    EXPECT_EQ(found["status"], "ok");
    EXPECT_TRUE(found["reason"].is_null());
}

TEST_F(DerivedRow, HasNeitherSamplesNorAnInterval) {
    const json found = row();
    EXPECT_EQ(found["samples"], json::array());
    EXPECT_FALSE(found.contains("launches"));
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
}  // namespace gridmark::harness
