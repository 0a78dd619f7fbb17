#pragma once

#include <filesystem>
#include <memory>

#include "harness/fields/solution.hpp"

namespace gridmark::harness {

class Hdf5Records;
class OutputFile;

/// The HDF5 file that `solve` writes: records while it computes, at the end fields as datasets and parameters
/// as attributes of the group /parameters. Until then it is `path`.partial, made by the first record, and
/// whatever was at the path stays; then it takes the path in one step. A program that is killed leaves
/// `path`.partial with all that was recorded, and the next that records for this path replaces it; one that
/// fails leaves nothing, as its exception says what is wrong.
/// What stands in the place of the file is refused before anything is computed (check_output); later
/// std::runtime_error names the path and the system's reason.
class Hdf5Output : public Recorder {
  public:
    explicit Hdf5Output(std::filesystem::path path);
    ~Hdf5Output() override;

    void begin(const std::string& name, Number number, const std::vector<std::size_t>& sizes) override;
    void write(const std::string& name, std::size_t index, Values values) override;
    /// Adds the solution and puts the file in its place. Called once; nothing is recorded after it.
    void finish(const Solution& solution);

  private:
    void open();

    std::filesystem::path path_;
    std::unique_ptr<OutputFile> file_;
    std::unique_ptr<Hdf5Records> records_;
};

}  // namespace gridmark::harness
