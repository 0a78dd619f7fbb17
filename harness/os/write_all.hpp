#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstddef>

namespace gridmark::harness {

/// Writes all bytes, in as many calls as that takes: a call may take fewer, and only the next one tells why.
/// At `offset`, or where the file stands. Returns 0 or the error.
inline int write_all(int file, const void* from, std::size_t bytes, off_t offset = -1) {
    const auto* next = static_cast<const char*>(from);
    while (bytes > 0) {
        const ssize_t n = offset < 0 ? ::write(file, next, bytes) : ::pwrite(file, next, bytes, offset);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return n < 0 ? errno : EIO;
        next += n;
        bytes -= static_cast<std::size_t>(n);
        if (offset >= 0) offset += n;
    }
    return 0;
}

}  // namespace gridmark::harness
