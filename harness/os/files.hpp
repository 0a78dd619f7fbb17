#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// Writes `content` to a temporary file beside `path`, flushes it to the disk, renames it over `path` and
/// flushes the folder: a power cut, too, leaves the old file or the new one. Throws std::system_error naming
/// the path; then the file holds its old content, or the new one where flushing the folder failed, and no
/// temporary file is left.
void write_atomically(const std::filesystem::path& path, std::string_view content);

/// Keeps a second run out of the same folder while it lives.
class FolderLock {
  public:
    /// Makes the folder. Throws UsageError when that or writing into it is not possible, or when another run
    /// has it.
    explicit FolderLock(const std::filesystem::path& folder);
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;
    ~FolderLock();

  private:
    int file_;
};

/// The whole of a small text file such as those under /proc and /sys; `what` names it in the reason, so that
/// no path gets into a result file.
Expected<std::string> read_text_file(const std::string& path, std::string_view what);

/// Without the white space at both ends.
std::string_view trim(std::string_view text);

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
