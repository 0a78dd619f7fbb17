#pragma once

#include <cstddef>
#include <memory>

#include "kernels/launch/device.hpp"

namespace gridmark::harness {

/// Between which memories a transfer goes; both directions at once where both are set.
struct LinkRoute {
    bool up = false;      ///< host to GPU
    bool down = false;    ///< GPU to host
    bool pinned = false;  ///< host memory that the system cannot move; else ordinary memory
};

/// Buffers on both sides and a stream for each direction.
class LinkTransfer {
  public:
    /// Throws launch::OutOfMemory, or launch::Unavailable where there is no GPU.
    LinkTransfer(launch::Device& gpu, LinkRoute route, std::size_t bytes);
    LinkTransfer(const LinkTransfer&) = delete;
    LinkTransfer& operator=(const LinkTransfer&) = delete;
    ~LinkTransfer();

    /// Transfers `bytes` in each direction of the route; the seconds that it took on the host's clock.
    double seconds();

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace gridmark::harness
