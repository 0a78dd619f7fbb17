#include "harness/os/files.hpp"

#include <gtest/gtest.h>

#include "harness/os/control_groups.hpp"
#include "harness/os/dynamic_library.hpp"
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

TEST(ReadTextFile, GivesTheWholeOrNamesWhatIsMissingAndNoPath) {
    const tests::TemporaryFolder folder;
    tests::write_text(folder / "file", " text\n");
    EXPECT_EQ(read_text_file(folder / "file", "a fact").value, " text\n");
    tests::write_text(folder / "blank", " \t\r\n");
    EXPECT_EQ(read_text_file(folder / "blank", "a fact").reason, "the system shows nothing for a fact");
    EXPECT_EQ(read_text_file(folder / "none", "a fact").reason, "the system does not show a fact");
    EXPECT_FALSE(whole_text(folder / "none"));
}

TEST(Trim, TakesWhiteSpaceFromBothEndsAlone) {
    EXPECT_EQ(trim("\r\n\t a \t\nb\n\r \t"), "a \t\nb");
    EXPECT_EQ(trim(" \t\r\n"), "");
    EXPECT_EQ(trim(""), "");
}

TEST(DynamicLibrary, IsTheFirstOfItsNamesThatLoads) {
    const auto found = DynamicLibrary::open({"/no/such/library.so", "libm.so.6"}, "a library of mathematics");
    ASSERT_TRUE(found) << found.reason;
    auto* const root = found.value->find<double(double)>("sqrt");
    ASSERT_NE(root, nullptr);
    EXPECT_EQ(root(9), 3);
    EXPECT_EQ(found.value->find<double(double)>("no_such_function"), nullptr);
    EXPECT_EQ(DynamicLibrary::open({"/no/such/library.so"}, "library").reason, "no library found");
}

}  // namespace
}  // namespace gridmark::harness
