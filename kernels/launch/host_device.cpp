#include "kernels/launch/host_device.hpp"

#include <cstring>
#include <new>

namespace gridmark::launch {
namespace {

constexpr std::align_val_t alignment{256};

}  // namespace

void* HostDevice::allocate(std::size_t bytes) {
    void* const memory = ::operator new(bytes, alignment, std::nothrow);
    if (memory == nullptr)
        throw OutOfMemory("cannot allocate " + std::to_string(bytes) + " bytes on the host");
    // A NaN in any floating-point type: what nobody wrote shows in the answer.
    std::memset(memory, 0xff, bytes);
    return memory;
}

void HostDevice::release(void* memory) noexcept {
    ::operator delete(memory, alignment);
}

void HostDevice::copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memmove(to, from, bytes);
}

void HostDevice::fill_bytes(void* memory, unsigned char value, std::size_t bytes) {
    if (bytes > 0) std::memset(memory, value, bytes);
}

TextureMemory HostDevice::make_texture(const void* from, std::size_t word, int nx, int ny, int nz) {
    const std::size_t bytes = word * static_cast<std::size_t>(nx) * ny * nz;
    TextureMemory texture{0, allocate(bytes)};
    copy(texture.memory, from, bytes);
    return texture;
}

HostOptions HostDevice::next_options() {
    HostOptions options = options_;
    options.seed += 0xd1342543de82ef95u * launches_.fetch_add(1, std::memory_order_relaxed);
    return options;
}

std::unique_ptr<Device> host_device(HostOptions options) {
    return std::make_unique<HostDevice>(options);
}

std::uint64_t host_launches(const Device& host) {
    if (host.executor() != Executor::host) throw Error("a GPU does not count its launches");
    return static_cast<const HostDevice&>(host).launches();
}

Meetings take_host_meetings(Device& host) {
    if (host.executor() != Executor::host) throw Error("a GPU does not count how often threads meet");
    return static_cast<HostDevice&>(host).take_meetings();
}

void HostDevice::met(const Meetings& block) {
    const std::lock_guard lock(met_);
    meetings_.barriers = std::max(meetings_.barriers, block.barriers);
    meetings_.shuffles = std::max(meetings_.shuffles, block.shuffles);
    meetings_.messages = std::max(meetings_.messages, block.messages);
    meetings_.blocks = std::max(meetings_.blocks, block.blocks);
}

Meetings HostDevice::take_meetings() {
    const std::lock_guard lock(met_);
    return std::exchange(meetings_, {});
}

}  // namespace gridmark::launch
