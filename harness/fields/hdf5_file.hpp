#pragma once

#include <filesystem>

#include "harness/fields/solution.hpp"

namespace gridmark::harness {

/// Writes fields as datasets and parameters as attributes of the group /parameters, in one step: the file is
/// complete or not there. Throws UsageError naming the path when it cannot be written.
void write_hdf5(const std::filesystem::path& path, const Solution& solution);

}  // namespace gridmark::harness
