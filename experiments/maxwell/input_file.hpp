#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "kernels/maxwell/materials.hpp"

namespace gridmark::maxwell {

/// What a file for `solve --input` holds; see Described.
struct InputFile {
    Grid grid;
    Body body;
    std::vector<std::array<double, 3>> points;
    std::vector<double> moments;
};

/// Reads and checks it. Throws UsageError, one line that names the file and what of it is wrong.
InputFile read_input_file(const std::filesystem::path& path);

/// Throws UsageError where a solve on so many nodes does not fit the free host memory.
void check_memory(const Grid& grid);

}  // namespace gridmark::maxwell
