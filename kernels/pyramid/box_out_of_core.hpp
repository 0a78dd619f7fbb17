#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/gpu_box.hpp"

/// A box larger than the device: steps by time skewing along z. Slab after slab of `depth` layers goes up.
/// After step t a slab's window lies t * reach layers lower, for a sweep along z looks `reach` layers ahead.
/// What lies between this window's end and the last one's stays where it is, for the next slab; of the
/// forward recurrence one layer a step is kept. So nothing is computed twice, each layer crosses the link
/// once each way in a pass, and nothing is added up on the host.
///
/// The pyramid method superposes padded pieces instead (out_of_core.hpp). The skewed windows need no padding,
/// and one field in host memory.
namespace gridmark::pyramid {

/// How a pass of `height` steps cuts a box. One slab of nz layers: the whole box is on the device.
struct Skew {
    std::size_t depth;
    int height;
    std::size_t reach;
    bool is_whole = false;

    /// Layers of the ring: a slab that is sent, one that is computed with what it left behind, one that is
    /// fetched.
    std::size_t ring(const Box& box) const {
        return is_whole ? box.nz : 3 * depth + static_cast<std::size_t>(height) * reach;
    }
    /// Slabs, with those behind the end in which the last windows reach it.
    std::size_t slabs(const Box& box) const {
        return is_whole ? 1 : (box.nz + static_cast<std::size_t>(height) * reach + depth - 1) / depth;
    }
    /// Values on the device, with a layer of the forward recurrence for each step.
    std::size_t device_values(const Box& box) const {
        return (ring(box) + (is_whole ? 0 : static_cast<std::size_t>(height))) * box.layer();
    }
};

/// The deepest slabs that `device_values` hold, or the whole box. Throws std::invalid_argument where not even
/// slabs of one layer fit, and for two dimensions, which have no z to skew along.
Skew skew_for(const Box& box, int height, std::size_t reach, std::size_t device_values);

/// Steps of a box in pinned host memory.
template <class T>
class SkewedBox {
  public:
    virtual ~SkewedBox() = default;
    /// The next steps of u, in place: at most Skew::height.
    virtual void pass(std::span<T> u, int steps) = 0;
    /// What all passes moved.
    virtual launch::Moved moved() const = 0;
};

/// `memory` on the device is Skew::device_values. `sweep` looks ahead Skew::reach points. `kernels` must
/// outlive it.
template <class T>
std::unique_ptr<SkewedBox<T>> skewed_box(launch::Device& device, const BoxKernels<T>& kernels, const Box& box,
                                         const AxisSolve<T>& sweep, const Skew& skew, T* memory);

}  // namespace gridmark::pyramid
