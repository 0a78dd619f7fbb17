#include "harness/run/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <system_error>

#include "harness/usage_error.hpp"

namespace gridmark::harness {

FolderLock::FolderLock(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    file_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file_ < 0 || ::access(folder.c_str(), W_OK) != 0)
        throw UsageError(fmt::format("--out: cannot write to {}", folder.string()));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
        throw UsageError(fmt::format("--out: another run is writing to {}", folder.string()));
}

FolderLock::~FolderLock() {
    ::close(file_);
}

}  // namespace gridmark::harness
