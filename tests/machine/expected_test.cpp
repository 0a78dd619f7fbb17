#include "harness/expected.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

TEST(Expected, PutsTheValueUnderTheLastPartOfThePath) {
    nlohmann::json object = nlohmann::json::object();
    nlohmann::json reasons = nlohmann::json::object();
    put(object, reasons, "cpu.caches.l2", known(7));
    EXPECT_EQ(object, nlohmann::json({{"l2", 7}}));
    EXPECT_TRUE(reasons.empty());
}

TEST(Expected, PutsNullAndTheReasonUnderTheWholePath) {
    nlohmann::json object = nlohmann::json::object();
    nlohmann::json reasons = nlohmann::json::object();
    put(object, reasons, "cpu.governor", unknown<std::string>("hidden"));
    put(object, reasons, "gpu", unknown<int>("none"));
    EXPECT_EQ(object, nlohmann::json({{"governor", nullptr}, {"gpu", nullptr}}));
    EXPECT_EQ(reasons, nlohmann::json({{"cpu.governor", "hidden"}, {"gpu", "none"}}));
}

TEST(Expected, NeverHasAnEmptyReason) {
    EXPECT_FALSE(unknown<int>("").reason.empty());
}

TEST(Expected, TransformKeepsTheReason) {
    const auto twice = [](int x) { return 2 * x; };
    EXPECT_EQ(*transform(known(3), twice).value, 6);
    EXPECT_EQ(transform(unknown<int>("lost"), twice).reason, "lost");
}

}  // namespace
}  // namespace gridmark::harness
