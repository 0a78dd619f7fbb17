#include "harness/os/files.hpp"

#include <gtest/gtest.h>

#include "harness/os/control_groups.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

TEST(WholeText, HoldsZerosAndMoreThanOneRead) {
    std::string written;
    for (int i = 0; i < 10'001; ++i)
        written += static_cast<char>(i);
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "file", written);
    EXPECT_EQ(whole_text(folder / "file"), written);
}

TEST(WholeText, IsEmptyWhereNothingStands) {
    EXPECT_EQ(whole_text("/dev/null"), "");
    EXPECT_FALSE(read_text_file("/dev/null", "a fact").value);
}

/// As /proc/N/stat does when process N ends between the two: it opens, and reading it is an error.
class OpensButCannotBeRead : public testing::TestWithParam<const char*> {};

TEST_P(OpensButCannotBeRead, IsNotThere) {
    EXPECT_FALSE(whole_text(GetParam()));
    EXPECT_FALSE(SystemFiles{}.text(GetParam()));
    EXPECT_EQ(read_text_file(GetParam(), "a fact").reason, "the system does not show a fact");
}

INSTANTIATE_TEST_SUITE_P(As, OpensButCannotBeRead, testing::Values("/", "/proc/self/mem"));

}  // namespace
}  // namespace gridmark::harness
