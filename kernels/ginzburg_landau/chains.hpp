#pragma once

#include "kernels/launch/demand.hpp"

/// The longest row of operations in a block of each kernel that each need the one before: judgement, read off
/// the sources. Barriers, shuffles and messages are compared with what the host executor counts
/// (tests/studies/demands_test.cpp).
namespace gridmark::ginzburg_landau::chains {

/// Of a Runge-Kutta step.
constexpr double stages = 4;

/// The rate of a stage, which needs the stage before, and a sum; and both sums, where the last one is a stage
/// on its own.
constexpr double stage_arithmetic = 10, whole_stage = 14;

/// A stage: its loads at once, then the rate and two sums.
constexpr launch::Chain gpu_relaunch{.loads = 1, .arithmetic = whole_stage, .logic = 25};

/// Stages follow each other, and a block's turns in a stage: after each stage but the last all blocks meet.
constexpr launch::Chain gpu_grid_barrier(double meetings, double turns) {
    return {.loads = meetings * turns,
            .arithmetic = whole_stage * meetings * turns,
            .logic = 25 * meetings * turns,
            .grid_barriers = meetings - 1};
}

/// Of a stage: a store to shared memory, a barrier, a load, and its operations; and what each scheduler
/// issues meanwhile.
constexpr launch::Chain gpu_overlap8{.loads = 1,
                                     .shared = 2 * stages,
                                     .arithmetic = stage_arithmetic * stages + 4,
                                     .logic = 20,
                                     .barriers = stages,
                                     .issues = true};

/// As gpu_overlap8, through twelve arrays of shared memory and seven barriers.
constexpr launch::Chain gpu_overlap8_listing{
    .loads = 1, .shared = 16, .arithmetic = 60, .logic = 20, .barriers = 7, .issues = true};

/// A warp advances alone: of each stage a shuffle's wait and its instructions, of which eight points a lane
/// make so many that none waits for another.
constexpr launch::Chain gpu_registers(double steps) {
    return {.loads = 1, .logic = 60, .shuffles = stages * steps, .issues = true};
}

/// Of a stage a shuffle and its operations, which hide what a lane issues; every `inner` steps a turn through
/// shared memory, at `exchanges` of them a message instead.
constexpr launch::Chain gpu_persistent(double steps, double inner, double exchanges) {
    return {.loads = 2,
            .shared = steps / inner * 2,
            .arithmetic = stage_arithmetic * stages * steps,
            .barriers = steps / inner - exchanges,
            .shuffles = stages * steps,
            .messages = exchanges};
}

}  // namespace gridmark::ginzburg_landau::chains
