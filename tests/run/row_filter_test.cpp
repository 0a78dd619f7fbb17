#include "harness/run/registry.hpp"

#include <gtest/gtest.h>

#include <chrono>

#include "harness/usage_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

TEST(RowFilter, FindsAMatchAnywhereInTheName) {
    const std::string name = "jacobi/gpu_shared/512x256/float/kernel/hot";
    for (const char* expression :
         {"", "gpu", "^jacobi/", "hot$", "cpu|gpu", "\\d+x2[0-9]{2}/", "(shared|l1)/512"})
        EXPECT_TRUE(RowFilter(expression).matches(name)) << expression;
    for (const char* expression : {"cpu", "^gpu", "jacobi$", "\\d{4}", "hot/", "x$|^y"})
        EXPECT_FALSE(RowFilter(expression).matches(name)) << expression;
}

TEST(RowFilter, RefusesWhatIsNoneOrTooMuch) {
    const auto refusal = [](const std::string& expression) {
        return tests::message_of<UsageError>([&] { RowFilter filter(expression); });
    };
    for (const char* expression : {"[", "a)(b", "*", "a{2,1}"})
        EXPECT_NE(refusal(expression).find("is not a regular expression"), std::string::npos) << expression;
    EXPECT_NE(refusal("(a)\\1").find("back-references"), std::string::npos);
    EXPECT_NE(refusal("(?=(?=x))").find("looks ahead"), std::string::npos);
    EXPECT_NE(refusal(std::string(601, 'a')).find("601 characters"), std::string::npos);
    EXPECT_NE(refusal("((a{1,99}){1,99}){1,99}").find("too many states"), std::string::npos);
}

// By backtracking either would take longer than the sun shines.
TEST(RowFilter, TakesNoExponentialTime) {
    const auto begin = std::chrono::steady_clock::now();
    for (const char* expression : {"(a*)*b", "(a+a+)+b", "(a|aa)+$b", "(.*)(.*)(.*)(.*)(.*)(.*)(.*)z"})
        EXPECT_FALSE(RowFilter(expression).matches(std::string(100, 'a'))) << expression;
    EXPECT_NO_THROW(RowFilter(std::string(300, '(') + std::string(300, ')')).matches("a"));
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace gridmark::harness
