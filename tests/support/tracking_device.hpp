#pragma once

#include <cstddef>
#include <map>

#include "kernels/launch/host_device.hpp"

namespace gridmark::tests {

/// The host as a device that knows its arrays.
class TrackingDevice : public launch::HostDevice {
  public:
    using HostDevice::HostDevice;

    void* allocate(std::size_t bytes) override {
        void* const memory = HostDevice::allocate(bytes);
        arrays_[static_cast<std::byte*>(memory)] = bytes;
        return memory;
    }
    void release(void* memory) noexcept override {
        arrays_.erase(static_cast<std::byte*>(memory));
        HostDevice::release(memory);
    }

  protected:
    std::map<std::byte*, std::size_t> arrays_;  ///< bytes by address
};

}  // namespace gridmark::tests
