#pragma once

#include "harness/fields/hdf5_handle.hpp"
#include "harness/fields/solution.hpp"

namespace gridmark::harness {

/// Adds fields as datasets and parameters as attributes of the group /parameters. Throws std::runtime_error.
void write_solution(hid_t file, const Solution& solution);

}  // namespace gridmark::harness
