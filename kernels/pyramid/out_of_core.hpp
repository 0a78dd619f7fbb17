#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/pieces.hpp"

namespace gridmark::pyramid {

/// Steps of a rod that lies in pinned host memory, by a device that holds a few pieces of it at a time. A
/// pass of h steps sends every piece once: its values, padded by zeros on the device; h solves there; and
/// back its response, which is longer than the piece, to be added up. Source: paper, steps 2 to 6.
template <class T>
class OutOfCore {
  public:
    virtual ~OutOfCore() = default;
    /// next = A^-h u. Both n values of pinned memory, not the same. With h = 0 it is the transfers alone.
    virtual void pass(std::span<const T> u, std::span<T> next, int h) = 0;
    /// The solves of a pass alone, on whatever stands on the device.
    virtual void compute(int h) = 0;
};

/// How the synchronous driver cuts a rod, so that all that it keeps on the device are `device_values` values.
/// Throws like pieces_for.
template <class T>
Pieces synchronous_pieces(const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                          std::size_t device_values);
/// The same for the overlapped driver; more pieces than must be where they would be so few that filling and
/// draining the pipeline would show.
template <class T>
Pieces overlapped_pieces(const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                         std::size_t device_values);

/// Values that they keep on the device for these pieces: at most the device_values that the pieces are for.
template <class T>
std::size_t synchronous_values(const GpuVariant<T>& solver, const Pieces& pieces);
template <class T>
std::size_t overlapped_values(const GpuVariant<T>& solver, const Pieces& pieces);

/// As the paper has it: send, compute, fetch the whole response, add it to the (zeroed) next layer, one after
/// the other. `memory` on the device is all that it uses there; drivers that take turns may share it.
template <class T>
std::unique_ptr<OutOfCore<T>> synchronous_driver(launch::Device& device, const GpuVariant<T>& solver,
                                                 double s, const Pieces& pieces, T* memory, int threads);

/// Three pieces at a time: one is sent while another is computed and a third one fetched. Each is computed in
/// a stream of its own, so that the first blocks of one kernel fill the multiprocessors that the last ones of
/// another leave. Of a response only the part that meets the piece before it is added by the host; the rest
/// is fetched to its place.
template <class T>
std::unique_ptr<OutOfCore<T>> overlapped_driver(launch::Device& device, const GpuVariant<T>& solver, double s,
                                                const Pieces& pieces, T* memory, int threads);

}  // namespace gridmark::pyramid
