#pragma once

#include <filesystem>

namespace gridmark::harness {

/// The file `path`.partial, which only one program at a time may write. It goes with the object unless it has
/// been put in its place; a program that is killed leaves it.
class PartialFile {
  public:
    /// Makes it, or takes over what a killed program left. Throws std::system_error; UsageError when another
    /// program is writing it.
    explicit PartialFile(std::filesystem::path path);
    PartialFile(const PartialFile&) = delete;
    PartialFile& operator=(const PartialFile&) = delete;
    ~PartialFile();

    const std::filesystem::path& path() const { return partial_; }
    /// Renames it over the path. Throws std::filesystem::filesystem_error.
    void put_in_place();

  private:
    std::filesystem::path path_, partial_;
    int file_;
    bool in_place_ = false;
};

}  // namespace gridmark::harness
