// Into how many layers a march is cut, for an imagined GPU of 132 multiprocessors.

#include <gtest/gtest.h>

#include "kernels/heat/march_layers.hpp"

namespace gridmark::heat_tests {
namespace {

using heat::march_layers;

TEST(MarchLayers, FillTheGpuOnce) {
    // 128 tiles on 132 places march through all layers; 32 tiles in four parts, 8 in sixteen.
    EXPECT_EQ(march_layers(512, {8, 16}, 132, {8, 8, 512}), 512);
    EXPECT_EQ(march_layers(256, {4, 8}, 132, {8, 8, 256}), 64);
    EXPECT_EQ(march_layers(128, {2, 4}, 132, {8, 8, 128}), 8);
}

TEST(MarchLayers, AreNoLongerThanAsked) {
    EXPECT_EQ(march_layers(512, {4, 64}, 528, {4, 1, 64}), 64);
    EXPECT_EQ(march_layers(256, {2, 32}, 528, {4, 1, 64}), 32);
}

// 133 tiles would need a second wave for one of them: in parts they share it.
TEST(MarchLayers, AvoidsANearlyEmptyWave) {
    EXPECT_LT(march_layers(512, {7, 19}, 132, {8, 8, 512}), 512);
}

TEST(MarchLayers, TakeAnyGrid) {
    for (const int nz : {1, 2, 3, 7, 8, 9, 41, 1000})
        for (const std::size_t resident : {0, 1, 4, 132})
            for (const unsigned columns : {1U, 5U, 1000U}) {
                const int layers = march_layers(nz, {columns, 1}, resident, {8, 8, 64});
                EXPECT_GE(layers, 1);
                EXPECT_LE(layers, std::min(nz, 64));
            }
}

}  // namespace
}  // namespace gridmark::heat_tests
