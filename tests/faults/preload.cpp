// The library of faults: preloaded into a program, it makes files and clocks fail as environment variables
// say. Each n-th time is the same in every run.

#include <dlfcn.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// The function of libc that one of this library stands before: GRIDMARK_NEXT(write)(file, data, size).
#define GRIDMARK_NEXT(name) reinterpret_cast<decltype(&::name)>(::dlsym(RTLD_NEXT, #name))

namespace {

std::string_view first_argument;

// glibc hands a program's arguments to the constructors of libraries, too.
__attribute__((constructor)) void keep_argument(int count, char** arguments, char**) {
    if (count > 1) first_argument = arguments[1];
}

/// An environment variable, or "".
std::string_view setting(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

/// Whether this process is what a test means: GRIDMARK_FAULT_IN is its first argument, "run" (the parent) or
/// "_child".
bool is_meant() {
    return !first_argument.empty() && first_argument == setting("GRIDMARK_FAULT_IN");
}

// --- files

/// What a folder would hold after a power cut: only what was flushed survives one. A file's bytes are kept by
/// fsync of the file, a rename by fsync of its folder.
class Disk {
  public:
    /// The file's bytes are in the cache only.
    void wrote(const std::string& path) { unflushed_[path] = true; }
    void flushed(const std::string& path) { unflushed_.erase(path); }
    /// To be called before the rename itself: keeps what is overwritten.
    void will_rename(const std::string& from, const std::string& to);
    void flushed_folder() { renames_.clear(); }
    /// Takes back what was not flushed.
    void lose_power();

  private:
    struct Rename {
        std::string from, to;
        bool existed;
        std::string content;  // of what was overwritten
    };
    std::map<std::string, bool> unflushed_;
    std::vector<Rename> renames_;  // since the folder was flushed, in order
};

void Disk::will_rename(const std::string& from, const std::string& to) {
    std::ifstream old(to, std::ios::binary);
    renames_.push_back({from, to, static_cast<bool>(old), {std::istreambuf_iterator<char>(old), {}}});
    unflushed_.erase(to);
    if (unflushed_.erase(from) > 0) unflushed_[to] = true;
}

void Disk::lose_power() {
    for (const auto& [path, yes] : unflushed_)
        if (std::filesystem::exists(path)) std::filesystem::resize_file(path, 0);
    for (auto rename = renames_.rbegin(); rename != renames_.rend(); ++rename) {
        std::filesystem::rename(rename->to, rename->from);
        if (rename->existed) std::ofstream(rename->to, std::ios::binary) << rename->content;
    }
}

// The n-th operation on a folder's files goes wrong. Operations are: opening (for writing, or the folder
// itself), writing, fsync, close, rename and unlink.
//   GRIDMARK_FAULT_FOLDER   the folder
//   GRIDMARK_FAULT_IN       run: only in the parent
//   GRIDMARK_FAULT_AT       n, from 1
//   GRIDMARK_FAULT_LOG      a file: a line for every operation that succeeded
//   GRIDMARK_FAULT_DO       kill (before it), power (the same, and what was not flushed is lost),
//                           stall (for ever; it says so in the log), an error's number,
//                           or `short`: all writes are cut to 100 bytes

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

// --- locks

// GRIDMARK_FAULT_LOCKS: the error that every request for a lock gets, as on a file system without locks.

bool has_no_locks() {
    const auto error = setting("GRIDMARK_FAULT_LOCKS");
    if (!error.empty()) errno = std::atoi(error.data());
    return !error.empty();
}

// --- clocks

// A clock that goes back: by a day when gridmark_faults_turn_clock_back() is called, or, from the first look
// on, by an hour at each look. GRIDMARK_FAULT_CLOCK says which, `monotonic` or `realtime`, and
// GRIDMARK_FAULT_FALLING=1 the latter.

std::atomic<long> seconds_back = 0;

bool goes_wrong(clockid_t clock) {
    const auto which = setting("GRIDMARK_FAULT_CLOCK");
    return (clock == CLOCK_MONOTONIC && which == "monotonic") ||
           (clock == CLOCK_REALTIME && which == "realtime");
}

/// How far a clock is behind at this look.
long lag() {
    if (setting("GRIDMARK_FAULT_FALLING") == "1" && is_meant()) seconds_back += 3600;
    return seconds_back;
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

int flock(int file, int operation) noexcept {
    return has_no_locks() ? -1 : GRIDMARK_NEXT(flock)(file, operation);
}

int fcntl(int file, int command, ...) {
    va_list rest;
    va_start(rest, command);
    void* const argument = va_arg(rest, void*);
    va_end(rest);
    if (command == F_OFD_SETLK && has_no_locks()) return -1;
    return GRIDMARK_NEXT(fcntl)(file, command, argument);
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

void gridmark_faults_turn_clock_back() {
    seconds_back += 86400;
}

int clock_gettime(clockid_t clock, timespec* time) noexcept {
    const int result = GRIDMARK_NEXT(clock_gettime)(clock, time);
    if (result == 0 && goes_wrong(clock)) time->tv_sec -= lag();
    return result;
}

int gettimeofday(timeval* time, void* zone) noexcept {
    const int result = GRIDMARK_NEXT(gettimeofday)(time, zone);
    if (result == 0 && goes_wrong(CLOCK_REALTIME)) time->tv_sec -= lag();
    return result;
}

std::time_t time(std::time_t* to) noexcept {
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    if (to != nullptr) *to = now.tv_sec;
    return now.tv_sec;
}
}
