// Folders of results, and what keeps one from being contributed.

#include <gtest/gtest.h>

#include "harness/results/contribution.hpp"
#include "harness/results/result_file.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/documents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::document;
using tests::message_of;

TEST(ResultSet, HoldsEveryExperimentOfAFolder) {
    const tests::TemporaryFolder folder;
    write_result_file(folder / "jacobi.json", document(json::array()));
    json heat = document(json::array(), "heat");
    heat["context"]["machine"] = "Some GPU";
    write_result_file(folder / "heat.json", heat);
    const ResultSet set = load_result_set(folder.path());
    EXPECT_EQ(set.machine, "Some GPU");
    EXPECT_EQ(set.directory, folder.path());
    EXPECT_TRUE(set.complete);
    ASSERT_EQ(set.files.size(), 2U);
    EXPECT_EQ(json(set.files.at("heat")), heat);
}

TEST(ResultSet, OneIncompleteFileMakesItIncomplete) {
    const tests::TemporaryFolder folder;
    for (const std::string id : {"a", "b", "c"}) {
        json d = document(json::array(), id);
        d["context"]["complete"] = id != "b";
        write_result_file(folder / (id + ".json"), d);
    }
    EXPECT_FALSE(load_result_set(folder.path()).complete);
}

TEST(ResultSet, IgnoresWhatWasSetAsideAndOtherFiles) {
    const tests::TemporaryFolder folder;
    write_result_file(folder / "jacobi.json", document(json::array()));
    tests::write_text(folder / "jacobi.old-1.json", "{ half of");
    tests::write_text(folder / "jacobi.json.partial", "{ half of");
    tests::write_text(folder / "README.md", "# Some GPU");
    tests::write_text(folder / ".lock", "");
    std::filesystem::create_directory(folder / "tables");
    EXPECT_EQ(load_result_set(folder.path()).files.size(), 1U);
}

/// JSON of other programs, whose names might be an experiment's.
TEST(ResultSet, IgnoresOtherJson) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "notes.json", R"({"by": "me"})");
    tests::write_text(folder / "list.json", "[1, 2]");
    tests::write_text(folder / "report.json", R"({"context": {"date": "today"}, "benchmarks": []})");
    tests::write_text(folder / "Jacobi.json", "{ half of");
    tests::write_text(folder / "jacobi.backup.json", "{ half of");
    EXPECT_THROW(load_result_set(folder.path()), UsageError);
    write_result_file(folder / "jacobi.json", document(json::array()));
    EXPECT_EQ(load_result_set(folder.path()).files.size(), 1U);
}

/// What says that it is a result, and is none, is no other JSON.
TEST(ResultSet, RefusesAResultThatIsDamaged) {
    const tests::TemporaryFolder folder;
    write_result_file(folder / "jacobi.json", document(json::array()));
    for (const char* text : {R"({"schema_version": 2})", R"({"context": {"experiment": "heat"}})", "{"}) {
        tests::write_text(folder / "heat.json", text);
        const auto message = message_of<UsageError>([&] { load_result_set(folder.path()); });
        EXPECT_TRUE(message.starts_with((folder / "heat.json").string())) << message;
    }
}

TEST(ResultSet, RefusesAFileOfAnotherExperiment) {
    const tests::TemporaryFolder folder;
    write_result_file(folder / "heat.json", document(json::array(), "jacobi"));
    const auto message = message_of<UsageError>([&] { load_result_set(folder.path()); });
    EXPECT_TRUE(message.starts_with((folder / "heat.json").string() + ": key context.experiment: "))
        << message;
    EXPECT_NE(message.find("jacobi"), std::string::npos) << message;
}

TEST(ResultSet, RefusesAnEmulatedProcessor) {
    const tests::TemporaryFolder folder;
    json d = document(json::array({tests::timed_row("jacobi/a/kernel/hot", tests::samples_from(1, 0.1))}));
    d["context"]["cpu"]["emulated"] = false;
    write_result_file(folder / "jacobi.json", d);
    EXPECT_EQ(load_result_set(folder.path()).files.size(), 1U);
    d["context"]["cpu"]["emulated"] = true;
    write_result_file(folder / "jacobi.json", d);
    EXPECT_EQ(
        message_of<UsageError>([&] { load_result_set(folder.path()); }),
        (folder / "jacobi.json").string() + ": its processor was emulated: these times are no measurements");
    EXPECT_EQ(row_named(folder.path(), "jacobi", "jacobi/a/kernel/hot").variant,
              d["rows"][0]["variant"].get<std::string>())
        << "its rows can be named";
}

TEST(ResultSet, RefusesOneBadFile) {
    const tests::TemporaryFolder folder;
    write_result_file(folder / "jacobi.json", document(json::array()));
    tests::write_text(folder / "heat.json", "{ half of");
    const auto message = message_of<UsageError>([&] { load_result_set(folder.path()); });
    EXPECT_TRUE(message.starts_with((folder / "heat.json").string())) << message;
}

TEST(ResultSet, RefusesNoFolderAndAnEmptyOne) {
    const tests::TemporaryFolder folder;
    const auto message = [&](const std::filesystem::path& path) {
        return message_of<UsageError>([&] { load_result_set(path); });
    };
    EXPECT_EQ(message(folder / "none"), (folder / "none").string() + ": no such folder of results");
    EXPECT_EQ(message(folder.path()), folder.path().string() + ": holds no result file");
    tests::write_text(folder / "file", "");
    EXPECT_EQ(message(folder / "file"), (folder / "file").string() + ": no such folder of results");
}

TEST(Published, EverySetLoadsAndIsMarkedPublished) {
    int sets = 0;
    for (const auto& entry : std::filesystem::directory_iterator(GRIDMARK_SOURCE_DIR "/results/published")) {
        SCOPED_TRACE(entry.path().filename().string());
        const ResultSet set = load_result_set(entry.path());
        ++sets;
        for (const auto& [id, file] : set.files) {
            const json d = file;
            EXPECT_EQ(d["context"].value("published", false), true);
            EXPECT_EQ(d["context"]["preset"], "published");
            EXPECT_FALSE(d["context"].value("source", "").empty());
            EXPECT_FALSE(d["rows"].empty());
            std::set<std::string> names;
            for (const json& row : d["rows"]) {
                EXPECT_TRUE(names.insert(row["name"]).second) << row["name"] << " twice";
                EXPECT_TRUE(row["samples"].empty());
                EXPECT_TRUE(row["interval"].is_null());
                EXPECT_EQ(row["experiment"], id);
            }
        }
    }
    EXPECT_GE(sets, 3);
}

// Table 1 and 2 of the paper, as its digest gives them.
TEST(Published, HoldsTheTablesOfTheJacobiStudy) {
    const auto value = [](const char* device, const std::string& variant, const std::string& tile,
                          const std::string& block) {
        const json d = read_result_file(std::string(GRIDMARK_SOURCE_DIR "/results/published/") + device +
                                        "/jacobi.json");
        for (const json& row : d["rows"])
            if (row["variant"] == variant && row["parameters"]["tile"] == tile &&
                row["parameters"]["block"] == block)
                return row["median"].get<double>();
        return -1.0;
    };
    struct Entry {
        const char *device, *tile, *block;
        double shared, no_shared;
    };
    for (const Entry& e : {Entry{"gtx-570", "32x32", "32x4", 41, 29},
                           {"gtx-570", "32x16", "32x4", 38, 27},
                           {"gtx-570", "32x8", "32x4", 43, 28},
                           {"gtx-570", "32x4", "32x4", 58, 32},
                           {"gtx-570", "32x32", "32x8", 38, 26},
                           {"gtx-570", "32x16", "32x8", 41, 28},
                           {"gtx-570", "32x32", "32x16", 42, 29},
                           {"tesla-x2070", "32x16", "32x4", 58, 44}}) {
        EXPECT_EQ(value(e.device, "gpu_shared", e.tile, e.block), e.shared)
            << e.device << " " << e.tile << " " << e.block;
        EXPECT_EQ(value(e.device, "gpu_no_shared", e.tile, e.block), e.no_shared)
            << e.device << " " << e.tile << " " << e.block;
    }
}

// --- contributions

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
    EXPECT_EQ(after("/context/build/commit"_json_pointer, "abd"),
              Lines{"jacobi.json: measured by commit \"abd\", heat by \"abc\": one folder, one program"});
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

TEST(Contribution, OneRowInTwentyMayBeatItsLimit) {
    const auto set_of = [](double share, int limited) {
        json rows = json::array();
        for (int k = 0; k < limited; ++k) {
            rows.push_back(tests::timed_row(std::to_string(k), tests::about(3)));
            rows.back()["limit"] = {
                {"ceiling", "x"}, {"value", 3}, {"unit", "us"}, {"share", k == 0 ? share : 0.9}};
        }
        return after("/rows"_json_pointer, rows);
    };
    EXPECT_EQ(set_of(1.5, 20), Lines{});
    EXPECT_EQ(set_of(1.02, 19), Lines{});
    ASSERT_EQ(set_of(1.5, 19).size(), 1U);
    EXPECT_TRUE(set_of(1.5, 19)[0].starts_with("1 of 19 rows beat their limits by over 2 %: "));
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
