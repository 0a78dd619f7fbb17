// Who may write to a folder or a file, and what is said of it on standard error.

#include "harness/os/lock.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "harness/os/streams.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

/// A descriptor of its own.
class Opened {
  public:
    Opened(const std::filesystem::path& path, int flags)
        : file_(::open(path.c_str(), flags | O_CLOEXEC, 0600)) {}
    Opened(const Opened&) = delete;
    Opened& operator=(const Opened&) = delete;
    ~Opened() { ::close(file_); }
    operator int() const { return file_; }

  private:
    int file_;
};

TEST(FolderLock, KeepsASecondRunOutWhileItLives) {
    const tests::TemporaryFolder folder;
    const auto place = folder / "a" / "b";
    {
        const FolderLock first(place);
        EXPECT_TRUE(std::filesystem::is_directory(place)) << "it makes the folder";
        EXPECT_EQ(tests::message_of<UsageError>([&] { const FolderLock second(place); }),
                  "--out: another run is writing to " + place.string());
        EXPECT_NO_THROW(FolderLock(folder / "a")) << "another folder";
    }
    EXPECT_NO_THROW(FolderLock{place});
}

TEST(FolderLock, IsNoneOfAFile) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "file", "kept");
    for (const auto& place : {folder / "file", folder / "file" / "below"})
        EXPECT_THROW(FolderLock{place}, UsageError) << place;
    EXPECT_EQ(tests::read_text(folder / "file"), "kept");
}

TEST(Lock, OfAFileLastsUntilItsDescriptorIsClosed) {
    const tests::TemporaryFolder folder;
    const auto path = folder / "file";
    const Opened second(path, O_RDWR | O_CREAT);
    {
        const Opened first(path, O_RDWR);
        EXPECT_EQ(lock_file(first, path), Lock::ours);
        EXPECT_EQ(lock_file(first, path), Lock::ours) << "it has it already";
        EXPECT_EQ(lock_file(second, path), Lock::of_another);
        EXPECT_EQ(lock_folder(second, path), Lock::ours) << "the lock that HDF5 asks for is another";
    }
    EXPECT_EQ(lock_file(second, path), Lock::ours);
}

TEST(LockDeathTest, ThatNobodyGetsIsToldOnce) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "file", "");
    const auto ask = [&] {
        const Opened file(folder / "file", O_RDONLY);  // a lock for writing needs more
        const bool unknown =
            lock_file(file, "first") == Lock::unknown && lock_file(file, "second") == Lock::unknown;
        std::_Exit(unknown ? 7 : 1);
    };
    EXPECT_EXIT(ask(), testing::ExitedWithCode(7),
                "^gridmark: first: cannot be locked here .Bad file descriptor.; let no second program write "
                "there meanwhile\n$");
}

/// What is said on standard error of a text.
void expect_complaint(const std::string& text, const std::string& said) {
    const auto complain_of = [&] {
        complain(text);
        std::_Exit(7);
    };
    EXPECT_EXIT(complain_of(), testing::ExitedWithCode(7), "^gridmark: " + said + "\n$");
}

TEST(ComplainDeathTest, IsOneLineWhateverTheTextHolds) {
    expect_complaint("", "");
    expect_complaint("one\nof two lines", "one");
    expect_complaint("a\x1b\x7f\tb\xc3\xa9", "a[?][?][?]b\xc3\xa9");
    const std::string begin(1000, 'x'), end(1000, 'y');
    expect_complaint(begin + end, begin + end);
    expect_complaint(begin + "left out" + end, begin + " [.][.][.] " + end);
}

}  // namespace
}  // namespace gridmark::harness
