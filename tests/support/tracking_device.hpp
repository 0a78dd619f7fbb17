#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "kernels/launch/host_device.hpp"

namespace gridmark::tests {

/// The host as a device that knows its arrays.
class TrackingDevice : public launch::HostDevice {
  public:
    using HostDevice::HostDevice;

    void* allocate(std::size_t bytes) override {
        void* const memory = HostDevice::allocate(bytes);
        arrays_[static_cast<std::byte*>(memory)] = bytes;
        live_ += bytes;
        peak_ = std::max(peak_, live_);
        return memory;
    }
    void release(void* memory) noexcept override {
        if (const auto found = arrays_.find(static_cast<std::byte*>(memory)); found != arrays_.end()) {
            live_ -= found->second;
            arrays_.erase(found);
        }
        HostDevice::release(memory);
    }
    /// The most bytes that were allocated at a time since the last call; textures are not among them.
    std::size_t peak_bytes() { return std::exchange(peak_, live_); }

  protected:
    std::map<std::byte*, std::size_t> arrays_;  ///< bytes by address

  private:
    std::size_t live_ = 0, peak_ = 0;
};

}  // namespace gridmark::tests
