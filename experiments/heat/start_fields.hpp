#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>

#include "harness/settings.hpp"
#include "kernels/heat/start.hpp"

namespace gridmark::heat {

/// A problem, its start, and what of the start a result file says beside it.
template <class T>
struct StartFields {
    Problem problem;
    Start<T> start;
    std::vector<T> source;  ///< degrees a second, of every interior point; empty without one
    nlohmann::json about;
};

/// The start that a `solve` asks for: the datasets /t0 and /beta of an HDF5 file, and /source where it is
/// there, all [nz][ny][nx]; or one that the program makes (`start` phantom or random, `seed`). Throws
/// UsageError where the file cannot be used, its fields differ in size, sizes given beside it are others,
/// beta is negative, or the step would be unstable.
template <class T>
StartFields<T> start_of(const std::optional<std::filesystem::path>& input, const harness::Settings& settings);

}  // namespace gridmark::heat
