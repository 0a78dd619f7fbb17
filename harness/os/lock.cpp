#include "harness/os/lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "harness/os/streams.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

/// What the call that asked for a lock gave. Only two errors say that another process has it.
Lock answer(int result, const std::filesystem::path& name) {
    if (result == 0) return Lock::ours;
    if (errno == EWOULDBLOCK || errno == EAGAIN || errno == EACCES) return Lock::of_another;
    static bool told = false;
    if (!told)
        complain(fmt::format("{}: cannot be locked here ({}); let no second program write there meanwhile",
                             name.string(), std::strerror(errno)));
    told = true;
    return Lock::unknown;
}

}  // namespace

Lock lock_folder(int folder, const std::filesystem::path& name) {
    return answer(::flock(folder, LOCK_EX | LOCK_NB), name);
}

Lock lock_file(int file, const std::filesystem::path& name) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return answer(::fcntl(file, F_OFD_SETLK, &whole), name);
}

FolderLock::FolderLock(const std::filesystem::path& folder) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    file_ = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file_ < 0 || ::access(folder.c_str(), W_OK) != 0)
        throw UsageError(
            fmt::format("--out: cannot write to {} ({})", folder.string(), std::strerror(errno)));
    if (lock_folder(file_, folder) == Lock::of_another)
        throw UsageError(fmt::format("--out: another run is writing to {}", folder.string()));
}

FolderLock::~FolderLock() {
    ::close(file_);
}

}  // namespace gridmark::harness
