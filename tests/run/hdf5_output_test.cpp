#include "harness/fields/hdf5_output.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "harness/usage_error.hpp"
#include "tests/run/hdf5_look.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using tests::message_of;
using tests::one_field;
using Names = std::set<std::string>;

class Hdf5OutputTest : public testing::Test {
  protected:
    tests::TemporaryFolder folder;
    const std::filesystem::path path = folder / "out.h5", partial = folder / "out.h5.partial";
};

TEST_F(Hdf5OutputTest, RecordsLieBesideTheSolution) {
    Hdf5Output output(path);
    output.begin("points/ex", Number::float32, {3, 2});
    output.begin("points/t", Number::float64, {3});
    output.begin("step", Number::int64, {2});
    output.write("points/t", 1, std::vector<double>{0.1});
    output.write("points/ex", 2, std::vector<float>{5, 6});
    output.write("points/ex", 0, std::vector<float>{1, 2});
    output.write("points/ex", 0, std::vector<float>{3, 4});
    output.write("step", 1, std::vector<std::int64_t>{(1LL << 62) + 1});
    output.finish(one_field);
    EXPECT_EQ(folder.names(), Names{"out.h5"});
    const float hole = std::numeric_limits<float>::quiet_NaN();
    EXPECT_TRUE(tests::same(tests::look<float>(path, "points/ex", {3, 2}), {3, 4, hole, hole, 5, 6}));
    EXPECT_TRUE(tests::same(tests::look<double>(path, "points/t", {3}), {double{hole}, 0.1, double{hole}}));
    EXPECT_EQ(tests::look<std::int64_t>(path, "step", {2}), (std::vector<std::int64_t>{-1, (1LL << 62) + 1}));
    EXPECT_EQ(tests::look<float>(path, "last", {2, 2}), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(Hdf5OutputTest, ASolutionNeedsNoRecords) {
    Hdf5Output output(path);
    EXPECT_EQ(folder.names(), Names{});
    output.finish(one_field);
    EXPECT_EQ(folder.names(), Names{"out.h5"});
    EXPECT_EQ(tests::look<float>(path, "last", {2, 2}), (std::vector<float>{1, 2, 3, 4}));
}

TEST_F(Hdf5OutputTest, TheOldFileStaysUntilTheNewOneIsWhole) {
    tests::write_text(path, "old");
    {
        Hdf5Output output(path);
        output.begin("t", Number::float32, {1});
        EXPECT_EQ(tests::read_text(path), "old");
        EXPECT_EQ(folder.names(), (Names{"out.h5", "out.h5.partial"}));
    }
    // It failed before its end.
    EXPECT_EQ(tests::read_text(path), "old");
    EXPECT_EQ(folder.names(), Names{"out.h5"});
}

TEST_F(Hdf5OutputTest, APathThatCannotBeIsNamed) {
    const auto missing = folder / "missing" / "out.h5";
    EXPECT_EQ(message_of<UsageError>([&] { Hdf5Output output(missing); }),
              "--out " + missing.string() + ": its folder does not exist");
    std::filesystem::create_directory(path);
    EXPECT_THROW(Hdf5Output output(path), UsageError);
    EXPECT_EQ(folder.names(), Names{"out.h5"});
    std::filesystem::remove(path);
    std::filesystem::create_directory(partial);
    Hdf5Output output(path);
    const std::string message = "cannot write " + path.string() + ": " + partial.string() + " is no file";
    EXPECT_EQ(message_of<std::runtime_error>([&] { output.begin("t", Number::float32, {1}); }), message);
    EXPECT_EQ(message_of<std::runtime_error>([&] { output.finish(one_field); }), message);
}

TEST_F(Hdf5OutputTest, AStudysMistakesAreNotTheFiles) {
    Hdf5Output output(path);
    output.begin("a", Number::float32, {2, 3});
    const std::vector<float> record(3);
    EXPECT_THROW(output.begin("a", Number::float32, {2, 3}), std::logic_error);
    EXPECT_THROW(output.begin("b", Number::float32, {}), std::logic_error);
    EXPECT_THROW(output.write("b", 0, record), std::logic_error);
    EXPECT_THROW(output.write("a", 2, record), std::logic_error);
    EXPECT_THROW(output.write("a", 0, std::vector<float>(2)), std::logic_error);
    EXPECT_THROW(output.write("a", 0, std::vector<float>(6)), std::logic_error);
    EXPECT_THROW(output.write("a", 0, std::vector<double>(3)), std::logic_error);
    output.write("a", 1, record);
}

TEST_F(Hdf5OutputTest, NothingToRecordIsNoMistake) {
    Hdf5Output output(path);
    output.begin("moments", Number::float64, {0});
    output.begin("points", Number::float32, {2, 0});
    output.write("points", 1, std::vector<float>{});
    output.finish(one_field);
    EXPECT_EQ(tests::look<double>(path, "moments", {0}), std::vector<double>{});
    EXPECT_EQ(tests::look<float>(path, "points", {2, 0}), std::vector<float>{});
}

}  // namespace
}  // namespace gridmark::harness
