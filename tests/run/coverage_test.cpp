#include "harness/gpu/coverage.hpp"

#include <gtest/gtest.h>

namespace gridmark::harness {
namespace {

// Of each pair of what a program was compiled for and a GPU: what serves it.
TEST(Coverage, IsTheNewestThatTheGpuCanRun) {
    const std::string everywhere = "75-virtual 80-virtual 90 100-virtual 120-virtual";
    const struct {
        std::string built, gpu, served;
    } cases[] = {{"75-virtual 90-real", "9.0", "code of 9.0"},
                 {"75-virtual 90-real", "12.0", "PTX of 7.5"},
                 {"75-virtual 90-real", "10.0", "PTX of 7.5"},
                 {"75-virtual 90-real", "8.0", "PTX of 7.5"},
                 {everywhere, "7.5", "PTX of 7.5"},
                 {everywhere, "8.9", "PTX of 8.0"},
                 {everywhere, "9.0", "code of 9.0"},
                 {everywhere, "10.3", "PTX of 10.0"},
                 {everywhere, "12.1", "PTX of 12.0"},
                 {everywhere, "13.0", "PTX of 12.0"},
                 {everywhere, "7.0", "nothing"},
                 {"90-real", "10.0", "nothing"},
                 {"75-virtual 90", "10.0", "PTX of 9.0"},
                 {"75-virtual 90-real 80", "8.6", "code of 8.0"},
                 {"86-real 80-real", "8.9", "code of 8.6"},
                 {"86-real", "8.0", "nothing"},
                 {"121-virtual", "12.0", "nothing"},
                 {"90a-real 100f-real", "9.0", "code of 9.0"},
                 {"90a", "10.0", "nothing"},
                 {"100f", "10.3", "code of 10.0"},
                 {"100f", "11.0", "nothing"},
                 {"100f-virtual", "12.0", "nothing"},
                 {"", "9.0", ""},
                 {"off", "9.0", ""},
                 {everywhere, "", ""},
                 {everywhere, "9", ""}};
    for (const auto& [built, gpu, served] : cases)
        EXPECT_EQ(coverage_of(built, gpu).text(), served) << built << " on " << gpu;
}

TEST(ParseCapability, IsAMajorNumberAndOneDigit) {
    EXPECT_EQ(parse_capability("9.0"), 90);
    EXPECT_EQ(parse_capability("12.1"), 121);
    for (const char* text :
         {"", "9", "9.", ".0", "9.10", "9.0a", "9,0", " 9.0", "-9.0", "9.-1", "+9.0", "a.0"})
        EXPECT_FALSE(parse_capability(text)) << text;
}

TEST(Coverage, SaysWhatIsLostAndHowToBuild) {
    const auto advice = [](const char* built, const char* gpu) {
        return coverage_advice(coverage_of(built, gpu), gpu);
    };
    const auto has = [](const std::string& text, const char* part) {
        return text.find(part) != std::string::npos;
    };
    EXPECT_EQ(advice("90-real", "9.0"), "");
    EXPECT_EQ(advice("80-real", "8.6"), "");
    EXPECT_EQ(advice("", "9.0"), "");
    const std::string oldest = advice("75-virtual", "12.0"), ampere = advice("75-virtual", "8.6"),
                      own = advice("120-virtual", "12.0"), none = advice("90-real", "12.1");
    EXPECT_TRUE(has(oldest, "asynchronous copies") && has(oldest, "bulk prefetches")) << oldest;
    EXPECT_TRUE(has(oldest, "CUDAARCHS=120 make build")) << oldest;
    EXPECT_TRUE(has(ampere, "asynchronous copies") && !has(ampere, "bulk prefetches")) << ampere;
    EXPECT_TRUE(!has(own, "asynchronous copies") && has(own, "first start")) << own;
    EXPECT_TRUE(has(none, "no CUDA variant can run") && has(none, "CUDAARCHS=121")) << none;
    EXPECT_EQ(oldest.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace gridmark::harness
