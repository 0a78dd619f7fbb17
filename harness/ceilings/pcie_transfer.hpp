#pragma once

#include <cstddef>
#include <memory>

#include "kernels/launch/device.hpp"

namespace gridmark::harness {

/// Between which memories a transfer goes; both directions at once where both are set.
struct PcieRoute {
    bool up = false;      ///< host to GPU
    bool down = false;    ///< GPU to host
    bool pinned = false;  ///< host memory that the system cannot move; else ordinary memory
};

/// Buffers on both sides and a stream for each direction.
class PcieTransfer {
  public:
    /// Throws launch::OutOfMemory, or launch::Unavailable where there is no GPU.
    PcieTransfer(launch::Device& gpu, PcieRoute route, std::size_t bytes);
    PcieTransfer(const PcieTransfer&) = delete;
    PcieTransfer& operator=(const PcieTransfer&) = delete;
    ~PcieTransfer();

    /// Transfers `bytes` in each direction of the route; the seconds that it took on the host's clock.
    double seconds();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace gridmark::harness
