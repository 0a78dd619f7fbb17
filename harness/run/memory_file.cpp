#include "harness/run/memory_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <stdexcept>
#include <system_error>

namespace gridmark::harness {
namespace {

[[noreturn]] void give_up(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

MemoryFile::MemoryFile(const std::string& text) : descriptor_(::memfd_create("gridmark", MFD_CLOEXEC)) {
    if (descriptor_ < 0) give_up("cannot make a file in memory");
    if (::write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size())) {
        ::close(descriptor_);
        give_up("cannot write a file in memory");
    }
    ::lseek(descriptor_, 0, SEEK_SET);
}

MemoryFile::~MemoryFile() {
    ::close(descriptor_);
}

std::size_t MemoryFile::size() const {
    struct stat status {};
    if (::fstat(descriptor_, &status) != 0) give_up("cannot measure a file in memory");
    return static_cast<std::size_t>(status.st_size);
}

void MemoryFile::read(void* to, std::size_t bytes, std::size_t offset) const {
    auto* next = static_cast<char*>(to);
    while (bytes > 0) {
        const ssize_t n = ::pread(descriptor_, next, bytes, static_cast<off_t>(offset));
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) give_up("cannot read a file in memory");
        if (n == 0) throw std::runtime_error("a file in memory holds too little");
        next += n;
        offset += static_cast<std::size_t>(n);
        bytes -= static_cast<std::size_t>(n);
    }
}

}  // namespace gridmark::harness
