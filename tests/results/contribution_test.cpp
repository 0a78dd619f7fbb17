// What keeps a folder of results from being contributed.

#include "harness/results/contribution.hpp"

#include <gtest/gtest.h>

#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// A folder of two experiments with nothing to complain of, after `change` to one file.
template <class Change>
std::vector<std::string> complaints(Change change) {
    ResultSet set{"results/mine", "Some GPU", true, {}};
    for (const char* id : {"heat", "jacobi"}) {
        json d = tests::document(json::array({tests::timed_row("a row", tests::about(3))}), id);
        d["context"]["processes"] = 3;
        d["context"]["build"] = {{"build_type", "Release"}, {"commit", "abc"}, {"dirty", false}};
        set.files[id] = d.get<ResultFile>();
    }
    change(set);
    return shortcomings(set, {"heat", "jacobi"}, {"my-laptop", ""});
}

std::vector<std::string> after(const json::json_pointer& key, const json& value) {
    return complaints([&](ResultSet& set) {
        json d = set.files["jacobi"];
        d[key] = value;
        set.files["jacobi"] = d.get<ResultFile>();
    });
}

using Lines = std::vector<std::string>;

TEST(Contribution, NothingToComplainOf) {
    EXPECT_EQ(complaints([](ResultSet&) {}), Lines{});
    EXPECT_EQ(after("/context/preset"_json_pointer, "full"), Lines{});
}

TEST(Contribution, EveryExperimentMustBeThereAndNoOther) {
    EXPECT_EQ(complaints([](ResultSet& set) { set.files.erase("heat"); }), Lines{"heat.json: is missing"});
    EXPECT_EQ(complaints([](ResultSet& set) { set.files["other"] = set.files["heat"]; }),
              Lines{"other.json: is no experiment of this program"});
}

TEST(Contribution, MustBeMeasuredInFull) {
    EXPECT_EQ(after("/context/preset"_json_pointer, "quick"),
              Lines{"jacobi.json: preset quick gives estimates; measure with paper or full"});
    EXPECT_EQ(after("/context/complete"_json_pointer, false),
              Lines{"jacobi.json: incomplete; the same run again goes on with it"});
    EXPECT_EQ(after("/context/processes"_json_pointer, 1),
              Lines{"jacobi.json: not measured by 3 processes a number"});
}

TEST(Contribution, MustComeFromACommit) {
    EXPECT_EQ(after("/context/build/build_type"_json_pointer, "Debug"),
              Lines{"jacobi.json: not measured by a release build"});
    EXPECT_EQ(after("/context/build/commit"_json_pointer, ""),
              Lines{"jacobi.json: the commit that measured it is not known"});
    EXPECT_EQ(after("/context/build/dirty"_json_pointer, true),
              Lines{"jacobi.json: measured by a commit with changes of its own, or nobody knows"});
    EXPECT_EQ(after("/context/build"_json_pointer, json::object()).size(), 3U);
}

TEST(Contribution, RowsMustHaveNumbersAndNotHaveFailed) {
    const json failed = tests::row_without_time("a bad row", "failed", "it hung");
    EXPECT_EQ(after("/rows/1"_json_pointer, failed), Lines{"jacobi.json: 1 failed rows, first a bad row"});
    const json skipped = tests::row_without_time("a row", "skipped", "no GPU");
    EXPECT_EQ(after("/rows/1"_json_pointer, skipped), Lines{});
    EXPECT_EQ(after("/rows"_json_pointer, json::array({skipped})), Lines{"jacobi.json: no row has a number"});
}

TEST(Contribution, EveryVerificationMustBeAbleToFail) {
    json row = tests::timed_row("a", tests::samples_from(1, 0.1));
    row["verification"] = {
        {"against", "x"}, {"error", 0}, {"tolerance", 0.004}, {"steps", 3}, {"scale", 0.5}};
    EXPECT_EQ(after("/rows/1"_json_pointer, row), Lines{});
    row["verification"]["tolerance"] = 0.006;
    EXPECT_EQ(after("/rows/1"_json_pointer, row),
              Lines{"jacobi.json: 1 rows whose verification cannot fail, first a"});
}

TEST(Contribution, OneFolderIsOneMachine) {
    EXPECT_EQ(after("/context/gpu/name"_json_pointer, "Another GPU"),
              Lines{"jacobi.json: its gpu is \"Another GPU\", that of heat is \"Some GPU\": one folder, one "
                    "machine"});
    EXPECT_EQ(after("/context/gpu"_json_pointer, nullptr).size(), 1U);
    EXPECT_EQ(after("/context/cpu/model"_json_pointer, "Another CPU").size(), 1U);
}

TEST(Contribution, NamesOfHostAndUserStayOut) {
    EXPECT_EQ(after("/context/note"_json_pointer, json::array({"measured on my-laptop"})),
              Lines{"jacobi.json: holds \"my-laptop\": host, user and paths stay out"});
    EXPECT_EQ(after("/rows/0/reason"_json_pointer, "cannot open /home/me/x").size(), 1U);
    EXPECT_EQ(after("/context/scheduler"_json_pointer, {{"name", "slurm"}, {"node", "n07"}}),
              Lines{"jacobi.json: names the node of a cluster: take context.scheduler out of it"});
}

}  // namespace
}  // namespace gridmark::harness
