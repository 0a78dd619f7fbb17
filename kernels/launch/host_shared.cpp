#include "kernels/launch/host_shared.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "kernels/launch/error.hpp"
#include "kernels/launch/host_sanitizer.hpp"
#include "kernels/launch/host_thread_sanitizer.hpp"
#include "kernels/launch/shape.hpp"

namespace gridmark::launch::executor {
namespace {

constexpr std::size_t red_bytes = 1024;
constexpr std::size_t alignment = 128;
// A NaN both as a float and as a double, so that reading a red zone shows too; no kernel writes it by
// accident.
constexpr std::uint32_t canary = 0xfffda5c3;

void paint(unsigned char* zone) {
    for (std::size_t at = 0; at < red_bytes; at += sizeof canary)
        std::memcpy(zone + at, &canary, sizeof canary);
}

bool painted(const unsigned char* zone) {
    for (std::size_t at = 0; at < red_bytes; at += sizeof canary)
        if (std::memcmp(zone + at, &canary, sizeof canary) != 0) return false;
    return true;
}

}  // namespace

SharedMemory::Zone::Zone(const void* site, const char* name, std::size_t bytes)
    : site_(site), name_(name), bytes_(bytes), memory_(new unsigned char[bytes + 2 * red_bytes + alignment]) {
    const auto address = reinterpret_cast<std::uintptr_t>(memory_.get());
    front_ = memory_.get() + (alignment - address % alignment);
    paint(front_);
    paint(front_ + red_bytes + bytes_);
    forbid(front_, red_bytes);
    forbid(front_ + red_bytes + bytes_, red_bytes);
    poison();
}

SharedMemory::Zone::~Zone() {
    permit(front_, bytes_ + 2 * red_bytes);
}

void* SharedMemory::Zone::data() const {
    return front_ + red_bytes;
}

void SharedMemory::Zone::poison() {
    std::memset(front_ + red_bytes, 0xff, bytes_);
}

bool SharedMemory::Zone::intact() const {
    if constexpr (address_sanitizer) return true;  // it has reported already, and forbids this look
    return painted(front_) && painted(front_ + red_bytes + bytes_);
}

void SharedMemory::start_launch(std::size_t dynamic_bytes) {
    arrays_.clear();
    static_bytes_ = 0;
    dynamic_bytes_ = dynamic_bytes;
    dynamic_ = std::make_unique<Zone>(nullptr, "(dynamic)", dynamic_bytes);
}

void SharedMemory::start_block() {
    dynamic_->poison();
    for (const auto& array : arrays_)
        array->poison();
}

void* SharedMemory::array(const SharedArray& wanted) {
    for (const auto& array : arrays_)
        if (array->site() == wanted.site) return array->data();
    static_bytes_ += wanted.bytes;
    const std::string so_far = std::string("shared array '") + wanted.name + "' brings its kernel to ";
    if (static_bytes_ > default_shared_limit)
        throw Error(so_far + std::to_string(static_bytes_) + " bytes of static shared memory, and " +
                    std::to_string(default_shared_limit) + " are the most");
    if (static_bytes_ + dynamic_bytes_ > largest_shared_limit)
        throw Error(so_far + std::to_string(static_bytes_ + dynamic_bytes_) + " bytes of shared memory, " +
                    std::to_string(dynamic_bytes_) + " of them dynamic, and " +
                    std::to_string(largest_shared_limit) + " are the most");
    const Unwatched creation;
    arrays_.push_back(std::make_unique<Zone>(wanted.site, wanted.name, wanted.bytes));
    return arrays_.back()->data();
}

void SharedMemory::check() const {
    const auto look = [](const Zone& zone) {
        if (!zone.intact())
            throw Error(std::string("a kernel wrote outside its shared array '") + zone.name() + "'");
    };
    look(*dynamic_);
    std::for_each(arrays_.begin(), arrays_.end(), [&](const auto& array) { look(*array); });
}

}  // namespace gridmark::launch::executor
