#include "harness/os/resources.hpp"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <system_error>

#include "harness/os/write_all.hpp"

namespace gridmark::harness {

std::vector<std::string> private_words() {
    std::vector<std::string> words;
    char host[256] = {};
    if (gethostname(host, sizeof host - 1) == 0) words.emplace_back(host);
    if (const char* const user = std::getenv("USER")) words.emplace_back(user);
    // Short ones would be found in any text, and nobody is known by these.
    std::erase_if(words, [](const std::string& word) {
        return word.size() < 4 || word == "root" || word == "localhost" || word == "user";
    });
    return words;
}

namespace {

[[noreturn]] void give_up(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

MemoryFile::MemoryFile(const std::string& text) : descriptor_(::memfd_create("gridmark", MFD_CLOEXEC)) {
    if (descriptor_ < 0) give_up("cannot make a file in memory");
    if (const int error = write_all(descriptor_, text.data(), text.size()); error != 0) {
        ::close(descriptor_);
        throw std::system_error(error, std::generic_category(), "cannot write a file in memory");
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

void limit_address_space([[maybe_unused]] std::size_t room) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    rlim_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t used = pages * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
    rlimit limit{};
    ::getrlimit(RLIMIT_AS, &limit);
    const rlim_t most = std::numeric_limits<rlim_t>::max() - used;
    // The soft limit alone: it may be raised again once it is known how much is needed.
    limit.rlim_cur = std::min<rlim_t>(limit.rlim_max, used + std::min<rlim_t>(room, most));
    ::setrlimit(RLIMIT_AS, &limit);
#endif
}

void forbid_core_dumps() {
    const rlimit none{0, 0};
    ::setrlimit(RLIMIT_CORE, &none);
}

}  // namespace gridmark::harness
