#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "harness/results/result_file.hpp"

namespace gridmark::harness {

/// All result files of one machine: results/<machine>/<experiment>.json.
struct ResultSet {
    std::filesystem::path directory;
    std::string machine;                      ///< as the files name it
    bool complete = true;                     ///< false when any file is marked incomplete
    std::map<std::string, ResultFile> files;  ///< by experiment
};

/// Reads a folder of result files. Throws UsageError when it is no folder, holds none, or any is refused.
ResultSet load_result_set(const std::filesystem::path& directory);

}  // namespace gridmark::harness
