#pragma once

#include <memory>

#include "kernels/maxwell/solver.hpp"
#include "kernels/maxwell/staging.hpp"

namespace gridmark::maxwell {

/// How a grid goes through a device that holds a part of it: slabs of `depth` planes along x, the last one of
/// fewer. `buffers` of them are on the device at a time.
struct Slabs {
    int nx, depth, buffers;

    int count() const { return (nx + depth - 1) / depth; }
    Slab operator[](int k) const { return {k * depth, k * depth + depth < nx ? k * depth + depth : nx}; }
};

/// As the paper has it, one slab at a time; or one that is computed while another is sent and a third one
/// fetched.
inline constexpr int synchronous_buffers = 1, overlapped_buffers = 3;

/// Values on the device: buffers and inverse spacings.
template <class T>
std::size_t device_values(const Layout& layout, const Slabs& slabs);

/// The deepest slabs that fit `values` values on the device. Throws std::invalid_argument where not even
/// slabs of one plane do.
template <class T>
Slabs slabs_for(const Layout& layout, int buffers, std::size_t values);

/// A version whose fields and coefficients live in the host's memory.
template <class T>
class StreamedSolver : public Solver<T> {
  public:
    /// The copies of `count` steps alone, and their kernels alone, on whatever stands on the device.
    virtual void transfers(int count) = 0;
    virtual void kernels(int count) = 0;
};

/// Bytes that a step sends and fetches, and in how many copies: at least, where a ring of planes may cut one.
struct Traffic {
    double uploaded, downloaded;
    double copies_up, copies_down;
};
template <class T>
Traffic traffic(const Layout& layout, const Slabs& slabs);

/// E's half step slab by slab, then H's; boundaries and current on the CPU, as soon as a slab is back. With
/// several buffers nothing waits between half steps and steps but for what it needs. From pageable memory, as
/// in the paper, each copy is waited for, and one buffer is enough. `memory` on the device holds
/// device_values; `coefficients`, in memory of that kind, must outlive it. Source: paper, section 6.
template <class T>
std::unique_ptr<StreamedSolver<T>> streamed(launch::Device& device, const GpuVariant<T>& variant,
                                            const Problem& problem,
                                            const StreamedCoefficients<T>& coefficients, const Slabs& slabs,
                                            T* memory, int threads,
                                            HostMemory host_memory = HostMemory::pinned);

}  // namespace gridmark::maxwell
