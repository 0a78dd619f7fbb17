#include "harness/fields/hdf5_input.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "harness/fields/hdf5_handle.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using tests::message_of;

/// The parent alone: scripts stand for the reading child. What the true child reads is tested from the
/// command line.
class Hdf5Input : public testing::Test {
  protected:
    /// What read_input says of in.h5 when the child runs these shell commands.
    std::string said(const std::string& commands, double seconds = 20, bool optional = false) const {
        const auto script = folder / "reader.sh";
        tests::write_text(script, "#!/bin/sh\n" + commands + "\n");
        std::filesystem::permissions(script, std::filesystem::perms::owner_all);
        tests::write_text(path, "anything");
        return message_of<UsageError>([&] {
            read_input<float>(path, {{"t0", 3, optional}}, {.program = script, .seconds = seconds});
        });
    }
    std::string refusal(const std::string& reason) const { return path.string() + ": " + reason; }
    std::string failure(const std::string& how) const {
        return refusal("the HDF5 library could not read it (" + how + ")");
    }

    tests::TemporaryFolder folder;
    std::filesystem::path path = folder / "in.h5";
};

TEST(Hdf5Reason, IsToldWhereHdf5SaysNothing) {
    H5Eclear2(H5E_DEFAULT);
    EXPECT_EQ(hdf5_reason(), "HDF5 refused");
}

TEST_F(Hdf5Input, ACrashIsTold) {
    EXPECT_EQ(said("kill -SEGV $$"), failure("killed by SIGSEGV (Segmentation fault)"));
}

TEST_F(Hdf5Input, AHangIsGivenUp) {
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(said("exec sleep 30", 0.25), failure("given up after 0.25 s"));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(15));
}

TEST_F(Hdf5Input, LargerFilesAreGivenMoreTime) {
    tests::write_text(folder / "large.h5", std::string(1000, 'x'));
    const auto script = folder / "reader.sh";
    tests::write_text(script, "#!/bin/sh\nsleep 0.5\necho '{\"refused\": \"late\"}' >&3\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    const InputReader reader{.program = script, .seconds = 0.01, .bytes_per_second = 100};
    EXPECT_EQ(message_of<UsageError>([&] {
                  read_input<float>(folder / "large.h5", {{"t0", 3}}, reader);
              }),
              (folder / "large.h5").string() + ": late");
}

TEST_F(Hdf5Input, AnEndWithoutAnAnswerIsTold) {
    EXPECT_EQ(said("exit 0"), failure("it ended without an answer"));
    EXPECT_EQ(said("echo first; echo second; exit 3"), failure("exit code 3: second"));
}

TEST_F(Hdf5Input, ARefusalIsPassedOn) {
    EXPECT_EQ(said(R"(echo '{"refused": "not an HDF5 file"}' >&3)"), refusal("not an HDF5 file"));
}

TEST_F(Hdf5Input, TheChildIsAskedForTheDatasets) {
    EXPECT_EQ(said(R"(grep -q '"name":"t0","optional":false,"rank":3' && echo '{"refused": "asked"}' >&3)"),
              refusal("asked"));
    EXPECT_EQ(said(R"(grep -q '"optional":true' && echo '{"refused": "asked"}' >&3)", 20, true),
              refusal("asked"));
}

TEST_F(Hdf5Input, AnAnswerIsNotTakenOnTrust) {
    const std::string nonsense = failure("its answer makes no sense");
    for (const std::string answer :
         {"nonsense", "7", "[]", "{}", R"({"refused": 7})", R"({"sizes": 7})", R"({"sizes": []})",
          R"({"sizes": [[]]})", R"({"sizes": [[1,1]]})", R"({"sizes": [[1,1,0]]})",
          R"({"sizes": [[1,1,-1]]})", R"({"sizes": [[1,1,1],[1,1,1]]})",
          R"({"sizes": [[4,5,5]]})",                     // more than the file in memory holds
          R"({"sizes": [[4294967296,4294967296,1]]})"})  // 2^64 values: 0, if one does not look
        EXPECT_EQ(said("truncate -s 396 /proc/self/fd/0; echo '" + answer + "' >&3"), nonsense) << answer;
    EXPECT_EQ(said(R"(truncate -s 396 /proc/self/fd/0; echo '{"sizes": [[3,3,11]]}' >&3)"),
              "nothing was thrown");
}

TEST_F(Hdf5Input, OnlyAnOptionalDatasetMayBeAbsent) {
    const std::string absent = R"(echo '{"sizes": [null]}' >&3)";
    EXPECT_EQ(said(absent), failure("its answer makes no sense"));
    EXPECT_EQ(said(absent, 20, true), "nothing was thrown");
    EXPECT_EQ(said(R"(echo '{"sizes": [[]]}' >&3)", 20, true), failure("its answer makes no sense"));
}

TEST_F(Hdf5Input, ValuesComeDatasetAfterDatasetInTheOrderWanted) {
    // The floats 1, 2 and 3, of which b has two.
    const std::string three = R"(printf '\000\000\200\077\000\000\000\100\000\000\100\100' >/proc/self/fd/0)";
    const auto script = folder / "reader.sh";
    tests::write_text(script, "#!/bin/sh\n" + three + "\necho '{\"sizes\": [[1], null, [2, 1]]}' >&3\n");
    std::filesystem::permissions(script, std::filesystem::perms::owner_all);
    tests::write_text(path, "anything");
    const auto fields =
        read_input<float>(path, {{"a", 1}, {"none", 3, true}, {"b", 2}}, {.program = script, .seconds = 20});
    ASSERT_EQ(fields.size(), 3U);
    EXPECT_EQ(fields[0].name, "a");
    EXPECT_EQ(fields[0].values, std::vector<float>{1});
    EXPECT_EQ(fields[1].name, "none");
    EXPECT_TRUE(fields[1].sizes.empty() && fields[1].values.empty());
    EXPECT_EQ(fields[2].sizes, (std::vector<std::size_t>{2, 1}));
    EXPECT_EQ(fields[2].values, (std::vector<float>{2, 3}));
}

TEST(ReaderJob, GoesToTheChildWhateverItsPathHolds) {
    const ReaderJob job{"/a/\xff\n.h5", {{"t0", 3, true}, {"b", 1}}, true, std::size_t{1} << 40};
    const ReaderJob there = reader_job_from_json(nlohmann::json::parse(to_json(job).dump()));
    EXPECT_EQ(there.path, job.path);
    EXPECT_EQ(there.wanted.at(0).name, "t0");
    EXPECT_EQ(there.wanted.at(0).rank, 3);
    EXPECT_TRUE(there.wanted.at(0).optional);
    EXPECT_FALSE(there.wanted.at(1).optional);
    EXPECT_TRUE(there.doubles);
    EXPECT_EQ(there.available, job.available);
}

TEST(Printable, IsOneLineThatIsNotTooLong) {
    EXPECT_EQ(printable("a\nb\x1b\x7f\xc3\xa9"), "a?b??\xc3\xa9");
    EXPECT_EQ(printable(std::string(160, 'x')), std::string(160, 'x'));
    EXPECT_EQ(printable(std::string(161, 'x')), std::string(160, 'x') + "...");
}

TEST(Handle, ClosesItselfOnceAndRefusesANegativeOne) {
    static int closed;
    closed = 0;
    const auto close = [](hid_t id) -> herr_t {
        closed += static_cast<int>(id);
        return 0;
    };
    {
        Handle first(5, close);
        const Handle moved(std::move(first));
        EXPECT_EQ(closed, 0);
        EXPECT_EQ(static_cast<hid_t>(moved), 5);
    }
    EXPECT_EQ(closed, 5);
    EXPECT_THROW(Handle(-1, close), std::runtime_error);
    EXPECT_EQ(closed, 5);
    EXPECT_THROW(check(-1), std::runtime_error);
    EXPECT_NO_THROW(check(0));
}

TEST_F(Hdf5Input, TheFileMustBeThere) {
    EXPECT_EQ(message_of<UsageError>([&] {
                  read_input<double>(path, {{"t0", 3}});
              }),
              refusal("no such file"));
    EXPECT_EQ(message_of<UsageError>([&] {
                  read_input<double>(folder.path(), {{"t0", 3}});
              }),
              folder.path().string() + ": a folder, not a file");
}

}  // namespace
}  // namespace gridmark::harness
