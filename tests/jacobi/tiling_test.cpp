#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/jacobi/sweeps.hpp"

namespace gridmark::jacobi_tests {
namespace {

std::string refusal(void (*check)(const Tiling&), Tiling tiling) {
    try {
        check(tiling);
    } catch (const std::invalid_argument& error) {
        return error.what();
    }
    return "";
}

TEST(Tiling, AcceptsTable1) {
    for (const Tiling t :
         {Tiling{32, 4}, {16, 4}, {8, 4}, {4, 4}, {32, 8}, {16, 8}, {32, 16}, {32, 32}, {6, 3}})
        EXPECT_EQ(refusal(jacobi::check_shared_tiling, t), "") << t.tile_y << " / " << t.block_y;
}

TEST(Tiling, RefusesWhatNoVersionCanRun) {
    for (auto* check : {jacobi::check_tiling, jacobi::check_shared_tiling}) {
        for (const Tiling t : {Tiling{0, 4}, {-8, 4}, {8, 0}, {8, -4}, {0, 0}})
            EXPECT_NE(refusal(check, t).find("at least 1"), std::string::npos)
                << t.tile_y << " / " << t.block_y;
        EXPECT_NE(refusal(check, {33, 33}).find("1024"), std::string::npos);
        EXPECT_NE(refusal(check, {64, 64}).find("1024"), std::string::npos);
        EXPECT_NE(refusal(check, {10, 4}).find("multiple"), std::string::npos);
        EXPECT_NE(refusal(check, {4, 8}).find("multiple"), std::string::npos);
    }
}

TEST(Tiling, OnlySharedNeedsThreeThreadRowsAndShortTiles) {
    for (const Tiling t : {Tiling{8, 1}, {8, 2}, {2, 2}, {64, 8}, {36, 3}}) {
        EXPECT_EQ(refusal(jacobi::check_tiling, t), "") << t.tile_y << " / " << t.block_y;
        EXPECT_NE(refusal(jacobi::check_shared_tiling, t), "") << t.tile_y << " / " << t.block_y;
    }
    EXPECT_NE(refusal(jacobi::check_shared_tiling, {8, 2}).find("at least 3"), std::string::npos);
    EXPECT_NE(refusal(jacobi::check_shared_tiling, {64, 8}).find("at most 32"), std::string::npos);
}

TEST(Tiling, EveryVersionChecksItsOwn) {
    const Problem p = jacobi::channel(64, 48);
    for (const auto& variant : jacobi::gpu_variants<float>(launch::Executor::host)) {
        if (!variant.tiled) continue;
        if (variant.carveout == launch::Carveout::prefer_shared)
            EXPECT_THROW(variant.check(p, {64, 8}), std::invalid_argument) << variant.name;
        else
            EXPECT_NO_THROW(variant.check(p, {64, 8})) << variant.name;
        EXPECT_THROW(variant.check(p, {10, 4}), std::invalid_argument) << variant.name;
    }
}

}  // namespace
}  // namespace gridmark::jacobi_tests
