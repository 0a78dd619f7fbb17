#pragma once

#include "kernels/launch/streams.hpp"
#include "kernels/maxwell/gpu.hpp"

namespace gridmark::maxwell {

/// A half step of one of the two fields.
enum class Half { e, h };

/// Device memory for one slab on its way: E and H with a plane of halo, and the two coefficients of E, whose
/// memory mu takes in H's half step. Source: paper, section 4.
template <class T>
class StagingBuffer {
  public:
    /// Values that slabs of so many planes need.
    static std::size_t values(const Layout& layout, int depth) {
        return (6 * static_cast<std::size_t>(depth + 1) + 6 * static_cast<std::size_t>(depth)) *
               layout.plane();
    }
    /// In `memory` on the device. `device` has layout, c dt and the inverse spacings there.
    StagingBuffer(const Arrays<T>& device, int depth, T* memory);

    /// Makes room for a slab's half step; the ones below are of this one.
    void take(Slab slab, Half half);
    /// Puts the copies of all that it needs into the stream.
    void send(launch::OwnedStream& up, const Arrays<T>& host) const;
    /// Puts its kernels into the stream.
    void advance(launch::Stream stream, const GpuVariant<T>& variant) const;
    /// Puts the copies of what it changed into the stream.
    void fetch(launch::OwnedStream& down, const Arrays<T>& host) const;

    /// Planes that a half step of a slab sends.
    static int planes_sent(Slab slab, Half half);
    static int planes_fetched(Slab slab) { return 3 * slab.depth(); }

  private:
    Arrays<T> arrays_;
    T* coefficients_[6];
    Slab slab_{0, 0};
    Half half_ = Half::e;
};

}  // namespace gridmark::maxwell
