#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

namespace gridmark::ranks {

/// How ranks send each other messages. Between two ranks they arrive in the order in which they were sent.
/// The layer is thin: MPI is behind it in harness/ranks, threads of one process in run_in_process().
class Transport {
  public:
    virtual ~Transport() = default;
    virtual int rank() const = 0;
    virtual int ranks() const = 0;

    /// Announces where the next message of a rank is to go, and returns. The memory belongs to the transport
    /// until finish().
    virtual void receive(int from, std::span<std::byte> into) = 0;
    /// Sends and returns. The memory must stay as it is until finish().
    virtual void send(int to, std::span<const std::byte> message) = 0;
    /// Lets messages go on, for whoever computes meanwhile.
    virtual void progress() {}
    /// Returns when all messages that were announced or sent here are through.
    virtual void finish() = 0;

    /// The largest of all ranks' values, at all ranks; returns when all have called it.
    virtual double most(double value) = 0;
    /// Whether messages may lie in a GPU's memory.
    virtual bool takes_device_memory() const { return false; }
};

/// When a message between threads of one process arrives: as soon as it can, only when the receiver waits for
/// it, or one or the other by chance. Until then its place holds NaN.
enum class Arrival { early, late, by_chance };

/// Runs `rank` on so many threads, each with a transport of its own; returns when all have returned. Throws
/// what the first of them threw; the others' waits end then.
void run_in_process(int ranks, Arrival arrival, std::uint64_t seed,
                    const std::function<void(Transport&)>& rank);

}  // namespace gridmark::ranks
