#pragma once

#include "kernels/launch/demand.hpp"

/// The longest row of operations in a block of each kernel that each need the one before: judgement, read off
/// the sources. Barriers, shuffles and messages are compared with what the host executor counts
/// (tests/studies/demands_test.cpp).
namespace gridmark::jacobi::chains {

/// A thread takes `rows` rows of a tile, each after the one before: its index, its load and four sums. A
/// division for each row where the index is divided.
constexpr launch::Chain gpu_no_shared(double rows, bool divided) {
    return {.loads = rows,
            .constants = 2,
            .arithmetic = 5 * rows,
            .logic = 47 + 33 * rows,
            .divisions = divided ? rows : 0};
}

/// The same through a tile in shared memory, with its rim.
constexpr launch::Chain gpu_shared(double rows, bool divided) {
    return {.loads = 2 + rows,
            .constants = 2,
            .shared = 1 + rows,
            .arithmetic = 5 * rows,
            .logic = 100 + 33 * rows,
            .divisions = divided ? 1 + rows : 0,
            .barriers = 1};
}

/// A warp takes `rows` rows, loaded in `turns`; the lanes' neighbours come by a shuffle a row.
constexpr launch::Chain gpu_rows(double rows, double turns) {
    return {.loads = 1 + turns,
            .constants = 2,
            .arithmetic = 5 * rows,
            .logic = 100 + 40 * turns,
            .shuffles = rows};
}

/// In each turn every sweep needs the row of the one before: a shuffle's time apart at least, and so many
/// instructions.
constexpr launch::Chain gpu_blocked(double turns, double sweeps) {
    return {.loads = 2, .shared = turns, .arithmetic = turns * sweeps, .logic = 40, .issues = true};
}

/// Each sweep needs the one before: the warps' edges through shared memory, the lanes' by a shuffle, and
/// every few sweeps an exchange with the blocks beside.
constexpr launch::Chain gpu_persistent(double sweeps, double exchanges) {
    return {.loads = 2,
            .shared = 2 * sweeps,
            .arithmetic = 4 * sweeps,
            .logic = 4 * sweeps,
            .barriers = 1 + sweeps + exchanges,
            .shuffles = sweeps,
            .messages = exchanges,
            .issues = true};
}

}  // namespace gridmark::jacobi::chains
