#pragma once

#include "kernels/launch/demand.hpp"

/// The longest row of operations in a block of each kernel that each need the one before: judgement, read off
/// the sources. Barriers and shuffles are compared with what the host executor counts
/// (tests/studies/demands_test.cpp). The 13 points of an update take 14 dependent operations.
namespace gridmark::heat::chains {

constexpr double update = 14;

/// All loads at once, and the update.
constexpr launch::Chain gpu_naive{.loads = 1, .arithmetic = update, .logic = 40};

/// The tile goes through shared memory first: gpu_four_cubes, gpu_tiles_16x16, gpu_rectangular.
constexpr launch::Chain by_tile{
    .loads = 2, .shared = 2, .arithmetic = update, .logic = 40, .barriers = 1, .issues = true};

/// Layers follow each other, for each may be the last: a load and what depends on it. gpu_no_shared,
/// gpu_generated_borders.
constexpr launch::Chain march(double layers) {
    return {.loads = 1 + layers, .arithmetic = update * layers, .logic = 40 + 27 * layers};
}

/// Each layer waits for what it loads two layers ahead; the lanes' neighbours come by a shuffle.
constexpr launch::Chain gpu_queue(double layers) {
    return {
        .loads = 1 + layers, .arithmetic = update * layers, .logic = 60 + 20 * layers, .shuffles = layers};
}

/// A pass advances every step by a layer, through shared memory. `silent` passes come before a barrier is
/// needed.
constexpr launch::Chain gpu_blocked(double passes, double silent) {
    return {.loads = 2,
            .shared = 2 * passes,
            .arithmetic = update * passes,
            .logic = 40 + 10 * passes,
            .barriers = passes - silent,
            .issues = true};
}

}  // namespace gridmark::heat::chains
