// The n-th operation on a folder's files goes wrong. Operations are: opening (for writing, or the folder
// itself), writing, fsync, close, rename and unlink.
//   GRIDMARK_FAULT_FOLDER   the folder          GRIDMARK_FAULT_IN   run: only in the parent
//   GRIDMARK_FAULT_AT       n, from 1           GRIDMARK_FAULT_LOG  a file: a line for every operation that
//   succeeded GRIDMARK_FAULT_DO       kill (before it), power (the same, and what was not flushed is lost),
//   stall (for ever;
//                           it says so in the log), an error's number, or `short`: all writes are cut to 100
//                           bytes
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "disk.hpp"
#include "preload.hpp"

namespace {

using namespace gridmark::faults;

std::map<int, std::string> open_files;
Disk disk;
long operations = 0;
bool busy = false;  // what the library itself does is no operation

bool is_watched(std::string_view path) {
    const auto folder = setting("GRIDMARK_FAULT_FOLDER");
    return !busy && !folder.empty() && is_meant() && path.starts_with(folder);
}

bool is_watched(int file) {
    return !busy && is_meant() && open_files.contains(file);
}

void log_line(const std::string& line) {
    const std::string log(setting("GRIDMARK_FAULT_LOG"));
    if (log.empty()) return;
    const int file = GRIDMARK_NEXT(open)(log.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    if (GRIDMARK_NEXT(write)(file, (line + "\n").c_str(), line.size() + 1) < 0) std::abort();
    GRIDMARK_NEXT(close)(file);
}

/// Counts an operation; true when it is to fail, with errno set.
bool goes_wrong() {
    const auto what = setting("GRIDMARK_FAULT_DO");
    if (what.empty() || what == "short" || ++operations != std::atol(setting("GRIDMARK_FAULT_AT").data()))
        return false;
    busy = true;
    if (what == "power") disk.lose_power();
    if (what == "power" || what == "kill") std::raise(SIGKILL);
    if (what == "stall") {
        log_line("stalled");
        for (;;)
            ::pause();
    }
    busy = false;
    errno = std::atoi(what.data());
    return true;
}

int watched_open(const char* path, int flags, mode_t mode) {
    const bool writes = (flags & O_ACCMODE) != O_RDONLY, folder = (flags & O_DIRECTORY) != 0;
    if (!is_watched(path) || (!writes && !folder)) return GRIDMARK_NEXT(open)(path, flags, mode);
    if (goes_wrong()) return -1;
    const int file = GRIDMARK_NEXT(open)(path, flags, mode);
    if (file < 0) return file;
    open_files[file] = folder ? "" : path;
    if (writes) disk.wrote(path);
    log_line(folder ? "open folder" : "open");
    return file;
}

mode_t mode_of(int flags, va_list& rest) {
    return (flags & O_CREAT) != 0 ? va_arg(rest, mode_t) : 0;
}

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return watched_open(path, flags, mode);
}

int open64(const char* path, int flags, ...) {
    va_list rest;
    va_start(rest, flags);
    const mode_t mode = mode_of(flags, rest);
    va_end(rest);
    return watched_open(path, flags, mode);
}

ssize_t write(int file, const void* data, size_t size) {
    if (!is_watched(file)) return GRIDMARK_NEXT(write)(file, data, size);
    if (goes_wrong()) return -1;
    if (setting("GRIDMARK_FAULT_DO") == "short") size = std::min<size_t>(size, 100);
    const ssize_t written = GRIDMARK_NEXT(write)(file, data, size);
    disk.wrote(open_files[file]);
    log_line("write");
    return written;
}

int fsync(int file) {
    if (!is_watched(file)) return GRIDMARK_NEXT(fsync)(file);
    if (goes_wrong()) return -1;
    const int result = GRIDMARK_NEXT(fsync)(file);
    const bool folder = open_files[file].empty();
    folder ? disk.flushed_folder() : disk.flushed(open_files[file]);
    log_line(folder ? "fsync folder" : "fsync");
    return result;
}

int close(int file) {
    if (!is_watched(file)) return GRIDMARK_NEXT(close)(file);
    const bool wrong = goes_wrong();
    const int error = errno;
    open_files.erase(file);
    const int result = GRIDMARK_NEXT(close)(file);
    if (!wrong) log_line("close");
    if (wrong) errno = error;
    return wrong ? -1 : result;
}

int rename(const char* from, const char* to) noexcept {
    if (!is_watched(to)) return GRIDMARK_NEXT(rename)(from, to);
    if (goes_wrong()) return -1;
    busy = true;
    disk.will_rename(from, to);
    busy = false;
    const int result = GRIDMARK_NEXT(rename)(from, to);
    log_line("rename");
    return result;
}

int unlink(const char* path) noexcept {
    if (!is_watched(path)) return GRIDMARK_NEXT(unlink)(path);
    if (goes_wrong()) return -1;
    log_line("unlink");
    return GRIDMARK_NEXT(unlink)(path);
}
}
