#include "harness/os/files.hpp"

#include <gtest/gtest.h>

#include <system_error>

#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using tests::read_text;

TEST(AtomicFile, WritesAndReplaces) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "a.json";
    write_atomically(path, "first");
    EXPECT_EQ(read_text(path), "first");
    const std::string long_text(300000, 'x');
    write_atomically(path, long_text);
    EXPECT_EQ(read_text(path), long_text);
    write_atomically(path, "");
    EXPECT_EQ(read_text(path), "");
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.json"});
}

TEST(AtomicFile, OverwritesWhatACrashLeft) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "a.json.partial", "a half that is longer than the whole");
    write_atomically(folder / "a.json", "whole");
    EXPECT_EQ(read_text(folder / "a.json"), "whole");
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.json"});
}

TEST(AtomicFile, NamesAPathThatCannotBe) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "file", "kept");
    for (const auto& path : {folder / "missing" / "a.json", folder / "file" / "a.json"}) {
        const auto message = tests::message_of<std::system_error>([&] { write_atomically(path, "text"); });
        EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    }
    EXPECT_EQ(read_text(folder / "file"), "kept");
    EXPECT_EQ(folder.names(), std::set<std::string>{"file"});
}

TEST(AtomicFile, LeavesNothingWhenTheRenameFails) {
    const tests::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "a.json");  // a folder stands where the file should
    EXPECT_THROW(write_atomically(folder / "a.json", "text"), std::system_error);
    EXPECT_EQ(folder.names(), std::set<std::string>{"a.json"});
    EXPECT_TRUE(std::filesystem::is_directory(folder / "a.json"));
}

}  // namespace
}  // namespace gridmark::harness
