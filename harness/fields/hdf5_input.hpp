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

/// One dataset as read: C order, last size fastest. Neither sizes nor values: it was optional and is absent.
template <class T>
struct InputField {
    std::string name;
    std::vector<std::size_t> sizes;
    std::vector<T> values;
};

/// Who reads, and for how long.
struct InputReader {
    std::filesystem::path program = "/proc/self/exe";  ///< must know `reader_command`
    double seconds = 60;                               ///< after which the reading is given up
    double bytes_per_second = 2e7;                     ///< of the file, for which more time is given
};

/// The datasets of an HDF5 file that need not be trusted, in the order wanted, converted to T (float or
/// double). HDF5 runs in a child process with limited memory and time: it crashes on some damaged files and
/// loops on others. All values are finite and no size is 0; only an absent optional dataset has no
/// values. Throws UsageError (one line, naming the file, and the dataset where there is one) for anything
/// that cannot be read so; std::system_error when no child can be started.
template <class T>
std::vector<InputField<T>> read_input(const std::filesystem::path& path,
                                      const std::vector<InputRequest>& wanted,
                                      const InputReader& reader = {});

}  // namespace gridmark::harness
