#include "harness/results/atomic_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

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

}  // namespace gridmark::harness
