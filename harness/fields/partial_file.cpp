#include "harness/fields/partial_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

/// False when another program holds the lock. A file system without locks has none to wait for. Not flock():
/// that is what HDF5 asks for before it reads, and readers are welcome.
bool lock(int file) {
    struct flock whole {};
    whole.l_type = F_WRLCK;
    whole.l_whence = SEEK_SET;
    return ::fcntl(file, F_OFD_SETLK, &whole) == 0 || (errno != EAGAIN && errno != EACCES);
}

}  // namespace

PartialFile::PartialFile(std::filesystem::path path) : path_(std::move(path)), partial_(path_) {
    partial_ += ".partial";
    file_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file_ < 0) throw std::system_error(errno, std::generic_category(), partial_.string());
    if (!lock(file_)) {
        ::close(file_);
        throw UsageError("--out: another solve is writing " + path_.string());
    }
}

PartialFile::~PartialFile() {
    std::error_code ignored;
    if (!in_place_) std::filesystem::remove(partial_, ignored);
    ::close(file_);
}

void PartialFile::put_in_place() {
    std::filesystem::rename(partial_, path_);
    in_place_ = true;
}

}  // namespace gridmark::harness
