#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// The `build` part of a result file's context: commit, dirty flag, compilers, flags, CUDA architectures and
/// the build id. What is not known is null and its reason goes to reasons["build...."].
nlohmann::json describe_build(nlohmann::json& reasons);

/// The linker's identification (a SHA-1 of its contents, in hexadecimal) of the program that runs: equal for
/// equal binaries, so that a run is resumed only by the binary that began it.
Expected<std::string> read_build_id();

}  // namespace gridmark::harness
