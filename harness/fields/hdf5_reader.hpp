#pragma once

#include <cstddef>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace gridmark::harness {

/// A wanted dataset: its name without the slash and its number of dimensions. An optional one need not be
/// there; if it is, it must be as wanted.
struct InputRequest {
    std::string name;
    int rank;
    bool optional = false;
};

/// What the reading child is asked on its standard input. It leaves all values there, dataset after dataset,
/// and reports {"sizes": [[...], ...]}, null for an optional one that is not there; or reports {"refused":
/// why} without the file's name.
struct ReaderJob {
    std::filesystem::path path;
    std::vector<InputRequest> wanted;
    bool doubles = false;       ///< values as double, else as float
    std::size_t available = 0;  ///< bytes of memory that child and parent may use
};

nlohmann::json to_json(const ReaderJob& job);
ReaderJob reader_job_from_json(const nlohmann::json& document);

/// The hidden subcommand that runs the child.
constexpr const char* reader_command = "_read_hdf5";

/// The whole child: HDF5 meets an untrusted file here and nowhere else. Does not return.
[[noreturn]] void run_hdf5_reader();

}  // namespace gridmark::harness
