#include "harness/os/output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "harness/os/lock.hpp"
#include "harness/os/write_all.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

namespace fs = std::filesystem;

/// Why a path is none that a file can take; empty if it is one. Links are followed.
std::string no_place(const fs::path& path) {
    std::error_code error;
    if (path.filename().empty() || path.filename() == "." || path.filename() == "..") return "names no file";
    const fs::file_status there = fs::symlink_status(path, error);
    if (there.type() == fs::file_type::not_found || there.type() == fs::file_type::none) return "";
    const fs::file_status status = fs::status(path, error);
    const bool is_link = fs::is_symlink(there);
    switch (status.type()) {
        case fs::file_type::regular:
            return "";
        case fs::file_type::directory:
            return is_link ? "exists and is no file (a link to a directory)"
                           : "exists and is no file (is a directory)";
        case fs::file_type::not_found:
        case fs::file_type::none:
            return "exists and is no file (a link that leads nowhere)";
        default:
            return is_link ? "exists and is no file (a link to a device or a pipe)"
                           : "exists and is no file (a device, a pipe or a socket)";
    }
}

/// Flushes the folder itself: without it a power cut may undo a rename. Returns 0 or the error.
int flush_folder(const fs::path& path) {
    const auto folder = path.has_parent_path() ? path.parent_path() : ".";
    const int file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return errno;
    // Some file systems cannot flush a folder, and say EINVAL.
    const int error = ::fsync(file) != 0 && errno != EINVAL ? errno : 0;
    ::close(file);
    return error;
}

}  // namespace

void check_output(const fs::path& path, const std::string& option) {
    const auto refuse = [&](const std::string& why) {
        throw UsageError(fmt::format("{} {}: {}", option, path.string(), why));
    };
    if (path.empty()) refuse("names no file");
    if (path == "-") refuse("standard output cannot take it; ./- is a file of that name");
    std::error_code ignored;
    if (!fs::is_directory(path.has_parent_path() ? path.parent_path() : ".", ignored))
        refuse("its folder does not exist");
    if (const std::string why = no_place(path); !why.empty()) refuse(why);
}

OutputFile::OutputFile(const fs::path& path) : given_(path), path_(path) {
    if (const std::string why = no_place(path_); !why.empty())
        throw std::runtime_error(fmt::format("cannot write {}: {}", given_.string(), why));
    std::error_code error;
    if (fs::is_symlink(fs::symlink_status(path_, error))) path_ = fs::canonical(path_);
    partial_ = path_;
    partial_ += ".partial";
    open();
}

/// A new file each time: one that another program left may have a mode, and names, of its own.
void OutputFile::open() {
    const auto is_taken = [&] {
        if (lock_file(file_, partial_) != Lock::of_another) return false;
        close_quietly();
        throw UsageError(fmt::format("--out: another program is writing {}", given_.string()));
    };
    for (int attempt = 0; attempt < 100; ++attempt) {
        file_ = ::open(partial_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (file_ >= 0 && !is_taken() && take_name()) return;
        if (file_ < 0 && errno != EEXIST) check(errno);
        close_quietly();
        struct stat left {};
        if (::lstat(partial_.c_str(), &left) != 0) continue;
        if (!S_ISREG(left.st_mode))
            throw std::runtime_error(
                fmt::format("cannot write {}: {} is no file", given_.string(), partial_.string()));
        file_ = ::open(partial_.c_str(), O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file_ < 0 && errno == ENOENT) continue;
        if (file_ < 0 && errno != EACCES) check(errno);
        if (file_ < 0 || (!is_taken() && take_name())) ::unlink(partial_.c_str());
        close_quietly();
    }
    check(EBUSY);
}

/// Whether the name still leads to the file that was locked: another program may have been faster.
bool OutputFile::take_name() {
    struct stat ours {
    }, named{};
    return ::fstat(file_, &ours) == 0 && ::lstat(partial_.c_str(), &named) == 0 &&
           ours.st_ino == named.st_ino && ours.st_dev == named.st_dev;
}

OutputFile::~OutputFile() {
    if (file_ >= 0) ::unlink(partial_.c_str());
    close_quietly();
}

void OutputFile::close_quietly() {
    if (file_ >= 0) ::close(file_);
    file_ = -1;
}

void OutputFile::check(int error) const {
    if (error != 0)
        throw std::system_error(error, std::generic_category(), "cannot write " + given_.string());
}

void OutputFile::write(std::string_view content) {
    check(write_all(file_, content.data(), content.size()));
}

void OutputFile::put_in_place() {
    check(::fsync(file_) != 0 ? errno : 0);
    check(::rename(partial_.c_str(), path_.c_str()) != 0 ? errno : 0);
    // Its bytes are on the disk: only the lock goes with the descriptor.
    const int file = std::exchange(file_, -1);
    check(::close(file) != 0 ? errno : 0);
    check(flush_folder(path_));
}

void write_atomically(const fs::path& path, std::string_view content) {
    OutputFile file(path);
    file.write(content);
    file.put_in_place();
}

}  // namespace gridmark::harness
