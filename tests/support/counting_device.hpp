#pragma once

#include <map>
#include <numeric>

#include "kernels/launch/host_device.hpp"

namespace gridmark::tests {

/// The host as a device that counts bytes over the link, and what is allocated or held, pinned memory too.
class CountingDevice final : public launch::HostDevice {
  public:
    CountingDevice() : HostDevice({}) {}
    void put_upload(launch::Stream s, void* to, const void* from, std::size_t bytes) override {
        up += bytes, ++copies_up;
        HostDevice::put_upload(s, to, from, bytes);
    }
    void put_download(launch::Stream s, void* to, const void* from, std::size_t bytes) override {
        down += bytes, ++copies_down;
        HostDevice::put_download(s, to, from, bytes);
    }
    void upload(void* to, const void* from, std::size_t bytes) override {
        waited_up += bytes;
        HostDevice::upload(to, from, bytes);
    }
    void download(void* to, const void* from, std::size_t bytes) override {
        waited_down += bytes;
        HostDevice::download(to, from, bytes);
    }
    void* allocate(std::size_t bytes) override {
        allocated += bytes;
        return hold(bytes);
    }
    void* allocate_pinned(std::size_t bytes) override {
        pinned += bytes;
        return hold(bytes);
    }
    void release(void* memory) noexcept override {
        sizes_.erase(memory);
        HostDevice::release(memory);
    }
    void release_pinned(void* memory) noexcept override { release(memory); }
    std::size_t held() const {
        return std::accumulate(sizes_.begin(), sizes_.end(), std::size_t{0},
                               [](std::size_t sum, const auto& one) { return sum + one.second; });
    }
    std::size_t copies_up = 0, copies_down = 0;
    std::size_t up = 0, down = 0, allocated = 0, pinned = 0;
    std::size_t waited_up = 0, waited_down = 0;  ///< by copies that return when they are done

  private:
    void* hold(std::size_t bytes) {
        void* const memory = HostDevice::allocate(bytes);
        sizes_[memory] = bytes;
        return memory;
    }

    std::map<void*, std::size_t> sizes_;
};

}  // namespace gridmark::tests
