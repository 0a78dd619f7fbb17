#pragma once

#include <functional>
#include <memory>

#include "kernels/launch/device.hpp"

// The clock `step`: time as the application sees it, launches included. All throw launch::Unavailable where
// the stream belongs to no GPU, and launch::Error where CUDA fails.
namespace gridmark::harness {

/// Seconds of GPU time between an event before and one after what `body` puts into the stream (resolution
/// about 0.5 microseconds); waits for the end. Divide by the number of steps: the two events cost a few
/// microseconds.
double seconds_between_events(launch::Stream stream, const std::function<void()>& body);

/// Launches recorded once and replayed without their launch overhead.
class GraphReplay {
  public:
    /// Captures what `body` puts into the stream; `body` must not wait, copy synchronously or allocate. Runs
    /// nothing.
    GraphReplay(launch::Stream stream, const std::function<void()>& body);
    GraphReplay(GraphReplay&&) noexcept;
    GraphReplay& operator=(GraphReplay&&) noexcept;
    ~GraphReplay();

    /// Puts the captured work into the stream `times` times; does not wait.
    void replay(int times = 1);

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Makes L2 hold nothing of use ("cold"): overwrites a buffer of at least twice its size. The buffer is
/// allocated once and kept; make one per device, outside of what is timed.
class L2Flush {
  public:
    explicit L2Flush(launch::Device& device);

    /// Puts the overwriting into the device's stream; does not wait.
    void operator()();

  private:
    launch::Device* device_;
    launch::Buffer<unsigned char> buffer_;
};

}  // namespace gridmark::harness
