#include "harness/os/streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <system_error>

namespace gridmark::harness {
namespace {

int lost_by = 0;  // the first error of standard output

/// Where no /dev/null can be opened, the root folder takes its place: it cannot be written either.
void open_nowhere(int flags) {
    if (::open("/dev/null", flags) < 0) (void)::open("/", O_RDONLY | O_DIRECTORY);
}

}  // namespace

void open_standard_streams() {
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        if (::fcntl(stream, F_GETFD) < 0 && errno == EBADF)
            open_nowhere(stream == STDERR_FILENO ? O_WRONLY : O_RDONLY);  // takes the lowest that is free
    std::signal(SIGXFSZ, SIG_IGN);
}

void write_out(std::string_view text) {
    errno = 0;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size() && lost_by == 0)
        lost_by = errno != 0 ? errno : EIO;
}

std::string lost_output() {
    const bool failed = std::ferror(stdout) != 0;  // also of what others wrote, and did not look
    std::clearerr(stdout);
    errno = 0;
    if (std::fflush(stdout) != 0 && lost_by == 0) lost_by = errno;
    if (failed && lost_by == 0) lost_by = EIO;
    // Some file systems tell only at the end of a descriptor.
    const int copy = ::dup(STDOUT_FILENO);
    if (copy >= 0 && ::close(copy) != 0 && lost_by == 0) lost_by = errno;
    return lost_by == 0 ? "" : "cannot write to standard output: " + std::generic_category().message(lost_by);
}

void write_error(const std::string& text) {
    std::fputs(text.c_str(), stderr);
}

void complain(const std::string& text) {
    constexpr std::size_t part = 1000;
    std::string line = text.substr(0, text.find('\n'));
    std::replace_if(
        line.begin(), line.end(), [](unsigned char c) { return c < 0x20 || c == 0x7f; }, '?');
    // Of a long one what it is about, at its beginning, and why, at its end.
    if (line.size() > 2 * part) line = line.substr(0, part) + " ... " + line.substr(line.size() - part);
    write_error("gridmark: " + line + '\n');
}

}  // namespace gridmark::harness
