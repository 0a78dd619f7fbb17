#pragma once

#include <filesystem>

namespace gridmark::harness {

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

}  // namespace gridmark::harness
