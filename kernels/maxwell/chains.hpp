#pragma once

#include <algorithm>

#include "kernels/launch/demand.hpp"

/// The longest row of operations in a block of each kernel that each need the one before: judgement, read off
/// the sources. Barriers are compared with what the host executor counts (tests/studies/demands_test.cpp).
namespace gridmark::maxwell::chains {

/// An update of a field: its coefficients, what depends on them, and the sums. gpu_in_core,
/// gpu_in_core_fused.
constexpr launch::Chain half_step{.loads = 2, .arithmetic = 12, .logic = 60};

/// A small kernel for a face of the grid, a few loads long.
constexpr launch::Chain face{.loads = 3, .logic = 60, .barriers = 1};

/// In each plane: a barrier, a turn through shared memory, both half steps, and what each scheduler issues
/// meanwhile; what the plane needs was asked for a plane ahead. The grid has `nx` planes.
constexpr launch::Chain gpu_single_pass(double planes, double nx) {
    return {.loads = 3,
            .shared = 2 * planes,
            .arithmetic = 24 * planes,
            .logic = 60,
            .barriers = 1 + std::min(planes, nx),
            .issues = true};
}

}  // namespace gridmark::maxwell::chains
