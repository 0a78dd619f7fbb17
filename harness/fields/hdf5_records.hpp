#pragma once

#include <filesystem>
#include <map>

#include "harness/fields/hdf5_handle.hpp"
#include "harness/fields/recorder.hpp"

namespace gridmark::harness {

/// A new HDF5 file that takes records. Writing one changes its values alone, so that a program may be killed
/// at any moment of it and the file stays whole. Beginning a dataset, or adding a solution at the end,
/// also changes what says where the others lie: a kill within that moment may cost them.
class Hdf5Records {
  public:
    /// Replaces what was at the path. Throws std::runtime_error.
    explicit Hdf5Records(const std::filesystem::path& path);

    hid_t file() const { return file_; }
    /// As Recorder's; they throw std::runtime_error where HDF5 fails.
    void begin(const std::string& name, Number number, const std::vector<std::size_t>& sizes);
    void write(const std::string& name, std::size_t index, const Recorder::Values& values);
    /// Everything reaches the file. Throws std::runtime_error.
    void flush();

  private:
    struct Dataset {
        Handle id;
        Number number;
        std::vector<hsize_t> sizes;
    };

    Handle file_;
    std::map<std::string, Dataset> datasets_;  // after the file: they close before it
};

}  // namespace gridmark::harness
