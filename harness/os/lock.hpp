#pragma once

#include <filesystem>

namespace gridmark::harness {

/// Whether this process has the lock of an open file. A file system without locks gives none to anybody: that
/// is said once on standard error, and `unknown` is no reason to give up.
enum class Lock { ours, of_another, unknown };

/// Locks an open file or folder until its descriptor is closed. `folder` names the place in what is said.
Lock lock_folder(int folder, const std::filesystem::path& name);
/// Of a file, in a way that readers by HDF5 do not ask for.
Lock lock_file(int file, const std::filesystem::path& name);

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
