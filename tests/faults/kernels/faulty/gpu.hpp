#pragma once

#include "kernels/launch/dispatch.hpp"

/// Kernels of one right kind and two that no GPU survives.
namespace gridmark::faulty {

GRIDMARK_BOTH_EXECUTORS(
    /// Changes the sign of n values.
    void negate(launch::Stream stream, float* values, int n);
    /// Writes to an address that is nobody's. The error comes up at the next synchronisation.
    void write_nowhere(launch::Stream stream);
    /// Never ends.
    void spin(launch::Stream stream);)

}  // namespace gridmark::faulty
