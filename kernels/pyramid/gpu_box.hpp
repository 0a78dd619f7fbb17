#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"
#include "kernels/pyramid/box.hpp"

namespace gridmark::pyramid {

/// Layers in a ring on the device: layer z of it stands at (z mod layers) * nx * ny. A whole box in memory is
/// a ring of nz layers.
template <class T>
struct Ring {
    T* values;
    std::size_t nx, ny, layers;
};

/// Layers begin ... begin + count - 1 of a box.
struct Layers {
    std::size_t begin, count;
};

/// A window's part of a sweep along z, from its first layer on. Unknowns before it are done: `before` has the
/// forward recurrence there (a layer), and gets its value at the last of `count` layers. nullptr at the box's
/// first layer. `ahead` layers follow that the backward recurrence may look at.
template <class T>
struct Window {
    Layers layers;
    std::size_t ahead;
    const T* before;
    T* after;  ///< nullptr where nothing follows
};

/// Sweeps in place, for either executor. Each value is read once and written once, by a thread that holds a
/// part of its line in registers.
template <class T>
struct BoxKernels {
    /// Why they cannot with this reach; empty if they can.
    std::string (*unavailable_reason)(int reach);
    /// Along x, and along y, on some layers.
    void (*sweep_x)(launch::Stream, const AxisSolve<T>&, const Ring<T>&, Layers);
    void (*sweep_y)(launch::Stream, const AxisSolve<T>&, const Ring<T>&, Layers);
    void (*sweep_z)(launch::Stream, const AxisSolve<T>&, const Ring<T>&, const Window<T>&);
    std::optional<launch::KernelInfo> (*info)(const AxisSolve<T>&);
};

/// Those of an executor; nullptr for the GPU when built without the CUDA toolkit.
template <class T>
const BoxKernels<T>* box_kernels(launch::Executor executor);

}  // namespace gridmark::pyramid
