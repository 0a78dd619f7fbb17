#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "harness/fields/hdf5_reader.hpp"

namespace gridmark::harness {

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
