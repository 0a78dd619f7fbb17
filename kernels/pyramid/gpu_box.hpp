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

/// Tridiagonal systems of one order that a library solves at once, and where their values are: value i of all
/// systems side by side, or a system's values one after the other.
template <class T>
struct Batch {
    bool is_interleaved;
    std::size_t order, count;
    T *lower, *diagonal, *upper;
};

/// A library's solver of such systems with any three diagonals.
template <class T>
struct BatchSolver {
    bool is_interleaved;
    /// Why it cannot; empty if it can.
    std::string (*unavailable_reason)(std::size_t order, std::size_t count);
    /// Bytes of scratch that a solve needs.
    std::size_t (*scratch)(const Batch<T>&, const T* x);
    /// The answer stands where x stood. It may overwrite `upper`.
    void (*solve)(launch::Stream, const Batch<T>&, T* x, void* scratch);
};

/// A box whose lines a library solves: what it needs beside that.
///
/// A sweep along an axis is (I + s/2 D)^-1 of (I - s/2 D) u. What forms the right-hand side also turns the
/// box as a matrix, [nz ny][nx] to [nx][nz][ny]: it moves each value anyway. So the next axis's lines lie as
/// the library wants them, and after as many sweeps as axes the box lies as before.
template <class T>
struct BatchKernels {
    /// Writes the diagonals of I + s/2 D, zero where a line has no neighbour.
    void (*fill)(launch::Stream, const Batch<T>&, double s);
    /// Of a matrix of so many columns, to[c][r] = ((I - s/2 D) from)[r][c]. The axis is that of the batch:
    /// interleaved the columns, else the fastest of those that the rows count. An interleaved batch's `upper`
    /// is written anew.
    void (*turn)(launch::Stream, const Batch<T>&, double s, std::size_t columns, const T* from, T* to);
    /// cuSPARSE's gtsvInterleavedBatch and gtsv2StridedBatch.
    BatchSolver<T> interleaved, strided;
};

/// Those of an executor; nullptr for the GPU when built without the CUDA toolkit.
template <class T>
const BatchKernels<T>* batch_kernels(launch::Executor executor);

}  // namespace gridmark::pyramid
