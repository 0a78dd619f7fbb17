#pragma once

#include "kernels/launch/demand.hpp"

/// The longest row of operations in a block of each kernel that each need the one before: judgement, read off
/// the sources. Barriers and shuffles are compared with what the host executor counts
/// (tests/studies/demands_test.cpp).
namespace gridmark::pyramid::chains {

/// A row of cyclic reduction and its two neighbours, by one thread.
constexpr launch::Chain level{.loads = 1, .arithmetic = 3, .logic = 30};

/// The last levels by one block, down and up again: each level is one round or several, and ends with a
/// barrier.
constexpr launch::Chain last_levels(double rounds, double levels) {
    return {.loads = rounds, .arithmetic = 3 * rounds, .logic = 20 * rounds, .barriers = 2 * levels};
}

/// Loaded at once, through shared memory into runs of `run` rows; both recurrences of a run, each with a scan
/// of five levels and a barrier; and back through shared memory.
constexpr launch::Chain gpu_local_inverse(double run) {
    return {.loads = 1,
            .shared = 6,
            .arithmetic = 4 * run + 12,
            .logic = 60,
            .barriers = 2,
            .shuffles = 12,
            .issues = true};
}

/// A stage waits in turn for the sums within a run, the levels of a scan and the lane beside, forwards and
/// back; the `steps` stages of a turn follow each other. A level shuffles, multiplies, selects and adds.
constexpr launch::Chain gpu_marching(double turns, double steps, double run, double levels) {
    return {.loads = 1 + turns / (steps == 1 ? 2 : 4),
            .arithmetic = turns * steps * (2 * run + 4 * levels + 2),
            .logic = turns * steps * (2 * levels + 1),
            .shuffles = turns * steps * (2 * levels + 2)};
}

}  // namespace gridmark::pyramid::chains
