#include "harness/whole_field.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace gridmark::harness {
namespace {

Verification compared(const std::vector<float>& field) {
    return compare_whole_field<float>(field, std::vector<double>{1, 2, 3, 4, 5}, 0.25, 3);
}

TEST(WholeField, GivesTheLargestDistance) {
    const auto v = compared({1, 2.125, 3, 3.75, 5});
    EXPECT_EQ(v.error, 0.25);
    EXPECT_EQ(v.steps, 3);
    EXPECT_TRUE(v.passed());
    EXPECT_FALSE(compared({1, 2, 3, 4, 5.5}).passed());
    EXPECT_FALSE(compared({0.5, 2, 3, 4, 5}).passed());
}

TEST(WholeField, GivesTheReferencesLargestSize) {
    const auto v =
        compare_whole_field<double>(std::vector<double>{1, 9, 2}, std::vector<double>{1, -7, 2}, 1, 3);
    EXPECT_EQ(v.scale, 7) << "of the reference, whatever its sign";
    EXPECT_EQ(v.error, 16);
    EXPECT_EQ(v.tolerance, 1);
}

// A comparison with NaN is false either way: one value that was never written must not hide among good ones.
TEST(WholeField, PassesNothingThatIsNotFinite) {
    for (const float wrong :
         {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
        for (std::size_t at = 0; at < 5; ++at) {
            std::vector<float> field{1, 2, 3, 4, 5};
            field[at] = wrong;
            const Verification v = compared(field);
            EXPECT_FALSE(v.passed()) << at;
            EXPECT_EQ(v.error, std::numeric_limits<double>::max()) << "a number, beyond every tolerance";
        }
}

}  // namespace
}  // namespace gridmark::harness
