// Files that are written: as a whole or not at all, never over what is no file, and with one rule of modes.

#include "harness/os/output.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <system_error>

#include "harness/os/resources.hpp"
#include "harness/os/write_all.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using tests::message_of;
using tests::read_text;
using Names = std::set<std::string>;

mode_t mode_of(const std::filesystem::path& path) {
    struct stat status {};
    EXPECT_EQ(::lstat(path.c_str(), &status), 0);
    return status.st_mode & 07777;
}

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
    EXPECT_EQ(folder.names(), Names{"a.json"});
}

TEST(AtomicFile, OverwritesWhatACrashLeft) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "a.json.partial", "a half that is longer than the whole");
    write_atomically(folder / "a.json", "whole");
    EXPECT_EQ(read_text(folder / "a.json"), "whole");
    EXPECT_EQ(folder.names(), Names{"a.json"});
}

TEST(AtomicFile, NamesAPathThatCannotBe) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "file", "kept");
    for (const auto& path : {folder / "missing" / "a.json", folder / "file" / "a.json"}) {
        const auto message = message_of<std::system_error>([&] { write_atomically(path, "text"); });
        EXPECT_NE(message.find(path.string()), std::string::npos) << message;
    }
    EXPECT_EQ(read_text(folder / "file"), "kept");
    EXPECT_EQ(folder.names(), Names{"file"});
}

/// Folders, pipes and links that lead nowhere, at the path or where the file is made.
class NoPlainFile : public testing::TestWithParam<const char*> {
  protected:
    void SetUp() override {
        std::filesystem::create_directory(folder / "folder");
        ::mkfifo((folder / "pipe").c_str(), 0600);
        std::filesystem::create_symlink("nothing", folder / "nowhere");
        std::filesystem::create_symlink("pipe", folder / "to_pipe");
        std::filesystem::create_symlink("folder", folder / "to_folder");
        before = folder.names();
    }
    tests::TemporaryFolder folder;
    Names before;
};

TEST_P(NoPlainFile, IsRefusedAndStays) {
    const auto path = folder / GetParam();
    const auto message = message_of<UsageError>([&] { check_output(path, "--out"); });
    EXPECT_TRUE(message.starts_with("--out " + path.string() + ": exists and is no file")) << message;
    EXPECT_THROW(write_atomically(path, "text"), std::runtime_error);
    EXPECT_EQ(folder.names(), before);
}

TEST_P(NoPlainFile, IsRefusedWhereTheFileIsMade) {
    std::filesystem::rename(folder / GetParam(), folder / "a.partial");
    before = folder.names();
    EXPECT_THROW(write_atomically(folder / "a", "text"), std::runtime_error);
    EXPECT_EQ(folder.names(), before);
}

INSTANTIATE_TEST_SUITE_P(Kinds, NoPlainFile,
                         testing::Values("folder", "pipe", "nowhere", "to_pipe", "to_folder"),
                         [](const auto& kind) { return kind.param; });

TEST(CheckOutput, TakesFilesLinksToFilesAndNewNames) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "file", "old");
    std::filesystem::create_symlink("file", folder / "link");
    for (const char* name : {"file", "link", "new"})
        EXPECT_NO_THROW(check_output(folder / name, "--out")) << name;
    for (const char* name : {"", "-", ".", "..", "/", "/no/such/folder/x"})
        EXPECT_THROW(check_output(name, "--out"), UsageError) << name;
    EXPECT_NO_THROW(check_output("./-", "--out"));
}

TEST(OutputFile, ALinkStaysOne) {
    const tests::TemporaryFolder folder;
    std::filesystem::create_directory(folder / "elsewhere");
    tests::write_text(folder / "elsewhere" / "file", "old");
    std::filesystem::create_symlink("elsewhere/file", folder / "link");
    write_atomically(folder / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
    EXPECT_EQ(read_text(folder / "elsewhere" / "file"), "new");
}

TEST(OutputFile, ItsModeIsWhatTheMaskLeaves) {
    const tests::TemporaryFolder folder;
    for (const mode_t mask : {022, 002, 077}) {
        const mode_t old = ::umask(mask);
        tests::write_text(folder / "a.partial", "what a program with another mask left");
        ::chmod((folder / "a.partial").c_str(), 0600);
        write_atomically(folder / "a", "text");
        ::umask(old);
        EXPECT_EQ(mode_of(folder / "a"), 0666 & ~mask);
    }
}

TEST(OutputFile, OneProgramWritesAtATime) {
    const tests::TemporaryFolder folder;
    {
        OutputFile first(folder / "a");
        first.write("first");
        EXPECT_THROW(OutputFile(folder / "a"), UsageError);
        first.put_in_place();
        OutputFile third(folder / "a");  // it goes without having been put in its place
    }
    EXPECT_EQ(read_text(folder / "a"), "first");
    EXPECT_EQ(folder.names(), Names{"a"});
}

/// What `use` says in a process whose files must not grow beyond so many bytes.
std::string said_with_limit(rlim_t bytes, const std::function<void()>& use) {
    int pipe[2];
    EXPECT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGXFSZ, SIG_IGN);
        const rlimit limit{bytes, bytes};
        ::setrlimit(RLIMIT_FSIZE, &limit);
        const std::string said = message_of<std::system_error>(use);
        ::_exit(write_all(pipe[1], said.data(), said.size()));
    }
    ::close(pipe[1]);
    char said[1000];
    const ssize_t length = ::read(pipe[0], said, sizeof said);
    ::close(pipe[0]);
    ::waitpid(child, nullptr, 0);
    return {said, said + std::max<ssize_t>(length, 0)};
}

TEST(ShortWrites, EndWithTheSystemsOwnReason) {
    const tests::TemporaryFolder folder;
    const std::string text(10'000, 'x');  // the first call takes half of it, and has no error
    EXPECT_EQ(said_with_limit(5000, [&] { write_atomically(folder / "a", text); }),
              "cannot write " + (folder / "a").string() + ": File too large");
    EXPECT_EQ(said_with_limit(5000, [&] { MemoryFile file(text); }),
              "cannot write a file in memory: File too large");
    EXPECT_EQ(folder.names(), Names{});
}

}  // namespace
}  // namespace gridmark::harness
