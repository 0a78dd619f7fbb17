// What is counted of a kernel, joined to what it declares: harness/model/counts.hpp.
#include <gtest/gtest.h>

#include "harness/model/counts.hpp"

namespace gridmark::harness {
namespace {

using launch::Demand;

constexpr Counts table[]{{"study/gpu_a/float", "", {2, 10, 0}, {128, 0, 0}, {64, 0, 1}, {7, 0, 0}},
                         {"study/gpu_b/float", "first", {1, 0, 0}, {}, {}, {}},
                         {"study/gpu_b/float", "second", {3, 0, 0}, {}, {}, {}}};

TEST(Counts, GrowWithTheUnitsOfAllBlocks) {
    std::vector<Demand> kernels{{.blocks = 4, .units = {100, 8, 5}}};
    ASSERT_TRUE(add_counts(kernels, table, "study/gpu_a/float"));
    EXPECT_EQ(kernels[0].instructions, 2 * 100 + 10 * 8);
    EXPECT_EQ(kernels[0].l1_bytes, 128 * 100);
    EXPECT_EQ(kernels[0].l2_bytes, 64 * 100 + 5);
    EXPECT_EQ(kernels[0].flops, 700);
}

TEST(Counts, TellHowMuchCodeAWarpRunsThrough) {
    // 3 blocks of 4 warps, one of them half full: 20 instructions a warp, of which a loop repeats three
    // quarters.
    std::vector<Demand> kernels{
        {.blocks = 3, .block_threads = 112, .units = {120, 0, 0}, .code_share = 0.25}};
    ASSERT_TRUE(add_counts(kernels, table, "study/gpu_a/float"));
    EXPECT_EQ(kernels[0].instructions, 240);
    EXPECT_EQ(kernels[0].code_bytes, 16 * 20 * 0.25);
}

TEST(Counts, TellWhatASchedulerIssuesWhileNoneCanWait) {
    const auto issued = [](double threads, bool issues) {
        std::vector<Demand> kernels{
            {.blocks = 2, .block_threads = threads, .units = {160, 0, 0}, .chain = {.issues = issues}}};
        EXPECT_TRUE(add_counts(kernels, table, "study/gpu_a/float"));
        return kernels[0].chain.issued;
    };
    EXPECT_EQ(issued(256, true), 320 / 2 / 4.0) << "four schedulers share a block's eight warps";
    EXPECT_EQ(issued(64, true), 320 / 2 / 2.0) << "two warps have a scheduler each";
    EXPECT_EQ(issued(256, false), 0);
}

TEST(Counts, AreThoseOfTheKernelThatIsNamed) {
    std::vector<Demand> kernels{{.units = {5}, .kernel = "second"}, {.units = {5}, .kernel = "first"}};
    ASSERT_TRUE(add_counts(kernels, table, "study/gpu_b/float"));
    EXPECT_EQ(kernels[0].instructions, 15);
    EXPECT_EQ(kernels[1].instructions, 5);
}

TEST(Counts, AreMissedWhereNobodyCounted) {
    std::vector<Demand> kernels{{.units = {1}}};
    EXPECT_FALSE(add_counts(kernels, table, "study/gpu_a/double"));
    EXPECT_FALSE(add_counts(kernels, table, "study/gpu_b/float")) << "it has kernels of other names";
    EXPECT_FALSE(add_counts(kernels, {}, "study/gpu_a/float"));
    std::vector<Demand> copy{{.memory_bytes = 8, .flops = 3}};
    EXPECT_TRUE(add_counts(copy, {}, "study/gpu_c/float"))
        << "it declares no units: there is nothing to count";
    EXPECT_EQ(copy[0].flops, 3);
}

}  // namespace
}  // namespace gridmark::harness
