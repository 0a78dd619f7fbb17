#include "harness/peers/shared_arrays.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <numeric>
#include <system_error>

namespace gridmark::harness {
namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

}  // namespace

SharedArrays::SharedArrays() {
    const int made = ::memfd_create("arrays", MFD_CLOEXEC);
    if (made < 0) fail("cannot make a file in memory");
    // Inherited, so not closed on exec, and out of the way of those that a child is given by their numbers.
    constexpr int least = 16;
    descriptor_ = ::fcntl(made, F_DUPFD, least);
    ::close(made);
    if (descriptor_ < 0) fail("cannot make a file in memory");
}

SharedArrays::~SharedArrays() {
    for (const auto& part : mapped_)
        ::munmap(part.data(), part.size());
    ::close(descriptor_);
}

template <class T>
std::span<T> SharedArrays::add(const std::string& name, const std::vector<std::size_t>& shape) {
    const std::size_t values =
        std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
    list_.push_back({{"name", name},
                     {"type", sizeof(T) == sizeof(float) ? "float32" : "float64"},
                     {"shape", shape},
                     {"offset", size_}});
    return {reinterpret_cast<T*>(grow(values * sizeof(T))), values};
}

std::byte* SharedArrays::grow(std::size_t bytes) {
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t room = (bytes + page - 1) / page * page;
    if (::ftruncate(descriptor_, static_cast<off_t>(size_ + room)) != 0)
        fail("cannot enlarge a file in memory");
    void* const at =
        ::mmap(nullptr, room, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, static_cast<off_t>(size_));
    if (at == MAP_FAILED) fail("cannot map a file in memory");
    size_ += room;
    mapped_.emplace_back(static_cast<std::byte*>(at), room);
    return static_cast<std::byte*>(at);
}

template std::span<float> SharedArrays::add<float>(const std::string&, const std::vector<std::size_t>&);
template std::span<double> SharedArrays::add<double>(const std::string&, const std::vector<std::size_t>&);

}  // namespace gridmark::harness
