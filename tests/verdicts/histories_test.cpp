// The steps of a history: where a row changed, from which set to which, and why it did not.

#include <gtest/gtest.h>

#include "harness/compare/compare.hpp"
#include "tests/verdicts/sets.hpp"

namespace gridmark::harness {
namespace {

ResultSet on_day(int day, const json& row) {
    const std::string date = "2026-01-0" + std::to_string(day);
    return set_in(date, row.is_null() ? json::array() : json::array({row}), {{"date", date}});
}

json quick_row(double us) {
    json row = bound_row("a", us);
    row["process_samples"] = {27};
    return row;
}

/// The row "a" of a history of these, in order of time; given in the reverse order.
json history_of_rows(const std::vector<json>& rows) {
    std::vector<ResultSet> sets;
    for (std::size_t k = rows.size(); k-- > 0;)
        sets.push_back(on_day(static_cast<int>(k) + 1, rows[k]));
    return compare_history(sets)["rows"][0];
}

TEST(HistoryOfARow, StaysChangedWhateverComesAfter) {
    const json row =
        history_of_rows({bound_row("a", 10), bound_row("a", 12), bound_row("a", 12), bound_row("a", 12)});
    EXPECT_EQ(row["verdict"], "changed");
    EXPECT_EQ(row["steps"].size(), 1U);
    EXPECT_EQ(row["values"], (json{10.0, 12.0, 12.0, 12.0}));
    const json back = history_of_rows({bound_row("a", 10), bound_row("a", 12), bound_row("a", 10)});
    EXPECT_EQ(back["verdict"], "changed");
    EXPECT_EQ(back["steps"].size(), 2U);
    EXPECT_EQ(back["newest"], "no difference resolved") << "the newest against the oldest";
    EXPECT_NEAR(back["ratio"].get<double>(), 1, 1e-9);
}

TEST(HistoryOfARow, StaysChangedThoughALaterStepIsRough) {
    const json row = history_of_rows({bound_row("a", 10), bound_row("a", 12), quick_row(15)});
    EXPECT_EQ(row["steps"].size(), 2U);
    EXPECT_EQ(row["verdict"], "changed");
}

TEST(HistoryOfARow, ChangesRoughlyWhereProcessesAreTooFew) {
    const json rough = history_of_rows({quick_row(10), quick_row(12), quick_row(15)});
    EXPECT_EQ(rough["verdict"], "roughly changed");
    EXPECT_EQ(rough["reason"], "fewer than three processes");
    ASSERT_EQ(rough["steps"].size(), 2U);
    EXPECT_EQ(rough["steps"][1]["from"], 1) << "the second step is from the first";
    // A rough step takes no level away that resolves.
    const json full = history_of_rows({bound_row("a", 10), quick_row(12), bound_row("a", 10.1)});
    EXPECT_EQ(full["verdict"], "roughly changed");
    ASSERT_EQ(full["steps"].size(), 1U);
    EXPECT_TRUE(full["reason"].is_null()) << "its first and its last can be compared";
}

TEST(HistoryOfARow, SaysWhyNothingCanBeCompared) {
    const json wall =
        history_of_rows({bound_row("a", 10, nullptr, 0, "wall"), bound_row("a", 12, nullptr, 0, "wall")});
    EXPECT_EQ(wall["verdict"], "not comparable");
    EXPECT_EQ(wall["reason"], "wall times need the margin between runs");
    for (const auto& rows :
         std::vector<std::vector<json>>{{nullptr, bound_row("a", 10)}, {bound_row("a", 10), nullptr}}) {
        const json once = history_of_rows(rows);
        EXPECT_EQ(once["verdict"], "in one set only");
        EXPECT_TRUE(once["newest"].is_null());
        EXPECT_TRUE(once["ratio"].is_null());
        EXPECT_TRUE(once["reason"].is_null());
    }
}

TEST(HistoryOfARow, IsCalledAsInItsNewestSet) {
    json newer = bound_row("a", 10);
    newer["variant"] = "gpu_new";
    EXPECT_EQ(history_of_rows({bound_row("a", 10), newer})["variant"], "gpu_new");
    EXPECT_EQ(history_of_rows({bound_row("a", 10), newer, nullptr})["variant"], "gpu_new");
}

TEST(HistoryOfSets, PutsStepsAndCausesAtTheirPlaces) {
    // Only the second and the third set, in time, have the experiment.
    const auto set = [](int day, double us, double rate) {
        ResultSet made = on_day(day, bound_row("a", us, "gpu_copy_bandwidth"));
        made.files.at("jacobi").context["ceilings"] =
            json::array({ceiling("gpu_copy_bandwidth", rate, "GB/s")});
        return made;
    };
    ResultSet other = on_day(1, nullptr);
    other.files["heat"] = other.files.at("jacobi");
    other.files.erase("jacobi");
    const json history = compare_history({set(3, 110, 1000), other, set(2, 100, 1100)});
    const json step = history["rows"][0]["steps"][0];
    EXPECT_EQ(step["from"], 1);
    EXPECT_EQ(step["to"], 2);
    EXPECT_EQ(step["cause"]["ceiling"], "gpu_copy_bandwidth");
    ASSERT_EQ(history["causes"].size(), 1U);
    EXPECT_EQ(history["causes"][0]["from"], 1);
    EXPECT_EQ(history["causes"][0]["to"], 2);
    EXPECT_EQ(history["studies"][1],
              (json{{"experiment", "jacobi"}, {"order", {1, 2}}, {"comparable", 1}, {"changed", 1}}));
}

TEST(HistoryOfSets, IsInTheOrderOfEachOnesNewestFile) {
    const auto set = [](const char* name, const char* jacobi, const char* zeta) {
        ResultSet made = set_in(name, json::array(), {{"date", jacobi}});
        made.files["zeta"] = made.files.at("jacobi");
        made.files.at("zeta").context["date"] = zeta;
        return made;
    };
    const json sets = compare_history(
        {set("late", "2026-03-01", "2026-01-01"), set("early", "2026-02-01", "2026-02-01")})["sets"];
    EXPECT_EQ(sets[0]["directory"], "early");
    EXPECT_EQ(sets[1]["directory"], "late");
}

}  // namespace
}  // namespace gridmark::harness
