#pragma once

#include "kernels/launch/host_device.hpp"

namespace gridmark::tests {

/// The host as a device that counts bytes over the link, and what is allocated.
class CountingDevice final : public launch::HostDevice {
  public:
    CountingDevice() : HostDevice({}) {}
    void put_upload(launch::Stream s, void* to, const void* from, std::size_t bytes) override {
        up += bytes;
        HostDevice::put_upload(s, to, from, bytes);
    }
    void put_download(launch::Stream s, void* to, const void* from, std::size_t bytes) override {
        down += bytes;
        HostDevice::put_download(s, to, from, bytes);
    }
    void* allocate(std::size_t bytes) override {
        allocated += bytes;
        return HostDevice::allocate(bytes);
    }
    void* allocate_pinned(std::size_t bytes) override { return HostDevice::allocate(bytes); }
    std::size_t up = 0, down = 0, allocated = 0;
};

}  // namespace gridmark::tests
