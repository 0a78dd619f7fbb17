#include "harness/results/result_file.hpp"

#include <gtest/gtest.h>

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
    EXPECT_EQ(row_named(folder.path(), "jacobi", "jacobi/a/kernel/hot").variant, d["rows"][0]["variant"])
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

}  // namespace
}  // namespace gridmark::harness
