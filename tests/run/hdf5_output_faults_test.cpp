#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <limits>
#include <optional>

#include "harness/fields/hdf5_output.hpp"
#include "harness/usage_error.hpp"
#include "tests/run/hdf5_look.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using tests::message_of;
using tests::one_field;
using Names = std::set<std::string>;

/// Readers, a second writer, kills and full disks.
class Hdf5OutputFaults : public testing::Test {
  protected:
    /// Values as whoever opens the file now finds them: of a copy, as HDF5 shares what one process has open.
    template <class T>
    std::vector<T> so_far(const std::string& name, const std::vector<std::uint64_t>& sizes) const {
        const tests::TemporaryFolder elsewhere;
        std::filesystem::copy_file(partial, elsewhere / "copy.h5");
        return tests::look<T>(elsewhere / "copy.h5", name, sizes);
    }

    /// What the error says that `use` ends with on a disk of so many bytes: the limit of a process stands for
    /// it.
    std::string said_on_disk(rlim_t bytes, const std::function<void(Hdf5Output&)>& use) const {
        int pipe[2];
        EXPECT_EQ(::pipe(pipe), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            std::signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{bytes, bytes};
            ::setrlimit(RLIMIT_FSIZE, &limit);
            const std::string said = message_of<std::runtime_error>([&] {
                Hdf5Output output(path);
                use(output);
            });
            ::_exit(::write(pipe[1], said.data(), said.size()) < 0 ? 1 : 0);
        }
        ::close(pipe[1]);
        char said[1000];
        const ssize_t length = ::read(pipe[0], said, sizeof said);
        ::close(pipe[0]);
        ::waitpid(child, nullptr, 0);
        return {said, said + std::max<ssize_t>(length, 0)};
    }

    tests::TemporaryFolder folder;
    const std::filesystem::path path = folder / "out.h5", partial = folder / "out.h5.partial";
    const std::string cannot = "cannot write " + path.string() + ": File too large";
};

TEST_F(Hdf5OutputFaults, OthersReadWhatIsRecordedSoFar) {
    Hdf5Output output(path);
    output.begin("snapshots/e", Number::float64, {2, 3});
    output.write("snapshots/e", 0, std::vector<double>{1, 2, 3});
    const double hole = std::numeric_limits<double>::quiet_NaN();
    EXPECT_TRUE(tests::same(so_far<double>("snapshots/e", {2, 3}), {1, 2, 3, hole, hole, hole}));
    output.begin("snapshots/later", Number::int64, {2});
    EXPECT_EQ(so_far<std::int64_t>("snapshots/later", {2}), (std::vector<std::int64_t>{-1, -1}));
    const int file = ::open(partial.c_str(), O_RDONLY | O_CLOEXEC);
    EXPECT_EQ(::flock(file, LOCK_SH | LOCK_NB), 0) << "HDF5 asks for this lock before it reads";
    ::close(file);
}

/// Killed while it records without a pause: all that it has said to be written is there.
TEST_F(Hdf5OutputFaults, AKillLosesNoRecord) {
    constexpr std::size_t many = 5000, values = 1000;
    for (const std::size_t count : {1, 2, 10, 300}) {
        int pipe[2];
        ASSERT_EQ(::pipe(pipe), 0);
        const pid_t child = ::fork();
        if (child == 0) {
            Hdf5Output output(path);
            output.begin("early/a", Number::float32, {many, values});
            output.write("early/a", 0, std::vector<float>(values, 1));
            output.begin("late/b", Number::int64, {many});
            for (std::size_t i = 1; i < many; ++i) {
                output.write("early/a", i, std::vector<float>(values, static_cast<float>(i + 1)));
                output.write("late/b", i, std::vector<std::int64_t>{static_cast<std::int64_t>(i)});
                if (::write(pipe[1], "x", 1) != 1) break;
            }
            ::pause();
        }
        ::close(pipe[1]);
        std::size_t told = 0;
        char byte = 0;
        while (::read(pipe[0], &byte, 1) == 1)
            if (++told == count) ::kill(child, SIGKILL);
        ::close(pipe[0]);
        ::waitpid(child, nullptr, 0);
        ASSERT_GE(told, count);
        EXPECT_EQ(folder.names(), Names{"out.h5.partial"});
        const auto a = tests::look<float>(partial, "early/a", {many, values});
        const auto b = tests::look<std::int64_t>(partial, "late/b", {many});
        for (std::size_t i = 0; i <= told; ++i) {
            EXPECT_EQ(a[i * values], static_cast<float>(i + 1));
            EXPECT_EQ(a[(i + 1) * values - 1], static_cast<float>(i + 1));
            EXPECT_EQ(b[i], i == 0 ? -1 : static_cast<std::int64_t>(i));
        }
        for (std::size_t i = told + 2; i < many; ++i) {  // it may have been about to tell of one more
            EXPECT_TRUE(std::isnan(a[i * values]) && std::isnan(a[(i + 1) * values - 1]));
            EXPECT_EQ(b[i], -1);
        }
    }
    // The next one takes over what was left.
    Hdf5Output(path).finish(one_field);
    EXPECT_EQ(folder.names(), Names{"out.h5"});
}

TEST_F(Hdf5OutputFaults, OnlyOneWritesAtATime) {
    std::optional<Hdf5Output> first(path);
    Hdf5Output second(path);
    first->begin("t", Number::float32, {1});
    first->write("t", 0, std::vector<float>{8});
    const std::string refusal = "--out: another program is writing " + path.string();
    EXPECT_EQ(message_of<UsageError>([&] { second.begin("t", Number::float32, {1}); }), refusal);
    EXPECT_EQ(message_of<UsageError>([&] { second.finish(one_field); }), refusal);
    EXPECT_EQ(so_far<float>("t", {1}), std::vector<float>{8});
    first->finish(one_field);
    second.begin("t", Number::float32, {1});
    first.reset();
    EXPECT_EQ(folder.names(), (Names{"out.h5", "out.h5.partial"}));  // the second's
    second.finish(one_field);
    EXPECT_EQ(folder.names(), Names{"out.h5"});
}

TEST_F(Hdf5OutputFaults, AFullDiskIsToldBeforeAnythingIsRecorded) {
    EXPECT_EQ(said_on_disk(100'000,
                           [](Hdf5Output& output) {
                               output.begin("small", Number::float64, {100});
                               output.write("small", 0, std::vector<double>{1});
                               output.begin("large", Number::float64, {100'000});
                           }),
              cannot);
    EXPECT_EQ(folder.names(), Names{});
}

TEST_F(Hdf5OutputFaults, AFullDiskAtTheEndLeavesTheOldFile) {
    Hdf5Output(path).finish(one_field);
    const std::string old = tests::read_text(path);
    for (rlim_t bytes = 0; bytes < old.size(); bytes += 100) {
        EXPECT_EQ(said_on_disk(bytes, [](Hdf5Output& output) { output.finish(one_field); }), cannot) << bytes;
        EXPECT_EQ(tests::read_text(path), old);
        EXPECT_EQ(folder.names(), Names{"out.h5"});
    }
}

}  // namespace
}  // namespace gridmark::harness
