#pragma once

#include <functional>
#include <string>
#include <vector>

// Where the parts of the CUDA toolkit are that are looked for while the program runs: CUPTI, cuSPARSE, the
// profiler.
namespace gridmark::launch {

/// What decides where toolkits are; the defaults are this process's and this machine's.
struct ToolkitPlaces {
    std::function<const char*(const char* variable)> environment;
    std::string built_with;  ///< the toolkit that this program was compiled by; empty: none
    std::string root;        ///< before /usr/local and /opt, for tests
};
ToolkitPlaces toolkit_places();

/// Toolkits' folders, those that exist, each once: what the environment names (CUDA_HOME, CUDA_PATH), the one
/// that the program was compiled by, conda's, and the usual places, newest first. Two toolkits seldom fit
/// each other, so what was compiled by one asks that one before any that merely stands in the way.
std::vector<std::string> toolkit_folders(const ToolkitPlaces& places = toolkit_places());

/// Names to open a toolkit's library by, in order: beside this program, the first toolkits' (named, compiled
/// by), the loader's own places, other toolkits'.
std::vector<std::string> library_candidates(const std::string& name,
                                            const ToolkitPlaces& places = toolkit_places());

/// A program of a toolkit ("ncu"): of the first toolkits, of the PATH, of the others, or of NVIDIA's separate
/// package. Empty where there is none.
std::string find_toolkit_program(const std::string& name, const ToolkitPlaces& places = toolkit_places());

}  // namespace gridmark::launch
