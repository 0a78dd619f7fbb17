#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "kernels/launch/device.hpp"
#include "kernels/launch/error.hpp"

// Apart from device.hpp, which every kernel file includes: nvcc would read <memory> and <string> five times.
namespace gridmark::launch {

/// In which order the host executor runs blocks, and the threads of a block between two barriers.
struct HostOptions {
    enum class Order { forward, reverse, random };
    Order order = Order::forward;
    std::uint64_t seed = 0;
};

/// The host in place of a GPU.
std::unique_ptr<Device> host_device(HostOptions options = {});

/// Kernels that such a device has launched so far. Throws Error for a GPU.
std::uint64_t host_launches(const Device& host);

/// How often threads of a block meet, in the block that meets most often: what stands in its chain.
struct Meetings {
    std::uint64_t barriers = 0;  ///< of the block
    std::uint64_t shuffles = 0;  ///< of one thread
    std::uint64_t messages = 0;  ///< from other blocks, that one thread waits for
    std::uint64_t blocks = 0;    ///< of the launch
};

/// The most of each in any launch of such a device since they were asked for last. Throws Error for a GPU.
Meetings take_host_meetings(Device& host);

/// The GPU with this number. Throws Unavailable with the reason when there is none.
std::unique_ptr<Device> gpu_device(int ordinal = 0);

/// Why no GPU can be used here; nullopt if at least one can.
std::optional<std::string> gpu_unavailable_reason();

}  // namespace gridmark::launch
