#include "harness/os/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>

#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, int error) {
    throw std::system_error(error, std::generic_category(), "cannot write " + path.string());
}

/// Writes everything and closes; returns 0 or the error.
int write_and_close(int file, std::string_view content) {
    int error = 0;
    while (!content.empty() && error == 0) {
        const ssize_t written = ::write(file, content.data(), content.size());
        if (written >= 0)
            content.remove_prefix(static_cast<std::size_t>(written));
        else if (errno != EINTR)
            error = errno;
    }
    if (error == 0 && ::fsync(file) != 0) error = errno;
    if (::close(file) != 0 && error == 0) error = errno;
    return error;
}

/// Flushes the folder itself: without it a power cut may undo a rename. Returns 0 or the error.
int flush_folder(const std::filesystem::path& path) {
    const auto folder = path.has_parent_path() ? path.parent_path() : ".";
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return errno;
    // Some file systems cannot flush a folder, and say EINVAL.
    const int error = ::fsync(file) != 0 && errno != EINVAL ? errno : 0;
    ::close(file);
    return error;
}

}  // namespace

void write_atomically(const std::filesystem::path& path, std::string_view content) {
    std::filesystem::path temporary = path;
    temporary += ".partial";
    const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (file < 0) fail(path, errno);
    int error = write_and_close(file, content);
    if (error == 0 && ::rename(temporary.c_str(), path.c_str()) != 0) error = errno;
    if (error != 0) {
        ::unlink(temporary.c_str());
        fail(path, error);
    }
    error = flush_folder(path);
    if (error != 0) fail(path, error);
}

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

Expected<std::string> read_text_file(const std::string& path, std::string_view what) {
    std::ifstream file(path);
    if (!file) return unknown<std::string>("the system does not show " + std::string(what));
    std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (trim(text).empty()) return unknown<std::string>("the system shows nothing for " + std::string(what));
    return known(std::move(text));
}

std::string_view trim(std::string_view text) {
    constexpr std::string_view white = " \t\r\n";
    const auto first = text.find_first_not_of(white);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(white) - first + 1);
}

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
