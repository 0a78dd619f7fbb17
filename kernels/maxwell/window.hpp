#pragma once

#include <vector>

#include "kernels/launch/streams.hpp"
#include "kernels/maxwell/pinned.hpp"

namespace gridmark::maxwell {

/// What a device holds of a grid in the host's memory: a ring of planes of the coefficients and of the
/// fields, these twice, since steps go to and fro between two sets.
template <class T>
class Window {
  public:
    /// `host` has layout, c dt and, in the host's memory, fields and inverse spacings.
    Window(launch::Device& device, const Arrays<T>& host, const PinnedCoefficients<T>& coefficients,
           int planes);

    /// From now on plane 0 lies where plane `number` of a grid without an end would.
    void begin_at(long number) { ring_.shift = static_cast<int>(number % ring_.planes); }
    /// Puts the copies of these planes of the coefficients and of a set's fields, or both sets', into the
    /// queue.
    void send(launch::OwnedStream& up, Slab planes, bool both_sets) const;
    void fetch(launch::OwnedStream& down, Slab planes, int set) const;
    /// A step of these planes from a set into the other. What it finds of the wave is left out.
    Pass<T> pass(Slab planes, int set) const;

  private:
    /// An array of the host's and its ring.
    struct Array {
        std::byte *host, *device;
        std::size_t plane;  ///< bytes
    };
    struct Set {
        Planes<T> e, h;
        std::vector<Array> arrays;
    };

    template <class Value>
    Value* allocate(std::size_t count);
    /// A copy on the device.
    template <class Value>
    Value* keep(const Value* values, std::size_t count);
    /// A ring for an array of the host's.
    template <class Value>
    Value* ring_for(const Value* host, std::vector<Array>& among);

    launch::Device& device_;
    Ring ring_;
    Arrays<T> arrays_{};
    Indexed<T> index_{};
    Set sets_[2];
    std::vector<Array> coefficients_;
    std::vector<launch::Buffer<std::byte>> memory_;
};

}  // namespace gridmark::maxwell
