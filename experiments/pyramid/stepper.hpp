#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "harness/stepper.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/out_of_core.hpp"
#include "kernels/pyramid/problem.hpp"

/// The versions, and how each steps a rod.
namespace gridmark::pyramid {

/// An out-of-core variant: which solver, and whether transfers overlap with it.
struct Version {
    std::string_view name;
    std::string_view solver;
    bool overlapped = false;
    bool one_layer = false;  ///< the host keeps the field once
    launch::Origin origin = launch::Origin::optimised;
};

/// The versions that send, solve and fetch in turn, as the paper has it.
inline constexpr Version synchronous_versions[]{
    {.name = "cpu_pyramid", .solver = "cpu_openmp"},
    {.name = "gpu_cyclic_reduction_synchronous",
     .solver = "gpu_cyclic_reduction",
     .origin = launch::Origin::published},
    {.name = "gpu_cyclic_reduction_one_layer", .solver = "gpu_cyclic_reduction", .one_layer = true},
    {.name = "gpu_cusparse_synchronous", .solver = "gpu_cusparse"},
    {.name = "gpu_local_inverse_synchronous", .solver = "gpu_local_inverse"},
};

/// One of these, or the overlapped version of a solver's own name. `variant` must outlive it.
inline Version version_of(std::string_view variant) {
    for (const Version& version : synchronous_versions)
        if (version.name == variant) return version;
    return {.name = variant, .solver = variant, .overlapped = true};
}

/// Pieces of a rod for a version with this solver.
template <class T>
Pieces pieces_of(const Version& version, const GpuVariant<T>& solver, std::size_t n, std::size_t padding,
                 std::size_t device_values);

/// Values that its driver keeps on the device.
template <class T>
std::size_t device_values_of(const Version& version, const GpuVariant<T>& solver, const Pieces& pieces);

/// to = from, of one size, by OpenMP threads.
template <class T>
void copy_values(std::span<const T> from, std::span<T> to, int threads) {
    const auto n = static_cast<std::ptrdiff_t>(from.size());
#pragma omp parallel for num_threads(threads) schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i)
        to[i] = from[i];
}

/// Fields are rods of n values.
template <class T>
using Stepper = harness::Stepper<T>;

/// A CPU variant, n values in memory. Throws launch::Unavailable where it cannot solve with this matrix.
template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(std::size_t n, const Matrix<T>& matrix, const std::string& variant,
                                        int threads);

/// A solver on a device that holds all n values. `solver` is one for media where `matrix` is a medium.
template <class T>
std::unique_ptr<Stepper<T>> in_memory_stepper(launch::Device& device, std::size_t n, const Matrix<T>& matrix,
                                              const GpuVariant<T>& solver);

/// Fields of a rod in pinned memory, two or one, and what of the device's memory may be used. Pinning
/// gigabytes takes seconds, so steppers take turns with them.
template <class T>
struct Stage {
    launch::Device& device;
    launch::Pinned<T> now, next;
    launch::Buffer<T> memory;

    Stage(launch::Device& device, std::size_t n, std::size_t device_values, bool one_layer = false)
        : device(device), now(device, n), next(device, one_layer ? 0 : n), memory(device, device_values) {}
};

/// The rod in pinned memory, advanced by passes of `height` steps; the last pass of several steps() has what
/// is left. Its parts can be had alone: of as many passes the transfers, or the solves.
template <class T>
class StreamedStepper : public Stepper<T> {
  public:
    virtual void transfers(int count) = 0;
    virtual void kernels(int count) = 0;
    /// What its driver did so far.
    virtual Traffic traffic() const = 0;
    /// Values of host memory that it takes for the rod and beside it.
    virtual std::size_t host_values() const = 0;
};

/// A version on a stage with the memory that it needs (device_values_of). A medium lies in pinned memory.
template <class T>
std::unique_ptr<StreamedStepper<T>> streamed_stepper(std::shared_ptr<Stage<T>> stage, const Version& version,
                                                     const GpuVariant<T>& solver, const Matrix<T>& matrix,
                                                     const Pieces& pieces, int height, int threads);

/// What `height=auto` is asked for.
template <class T>
struct HeightQuestion {
    launch::Device& device;
    int threads;
    Version version;
    const GpuVariant<T>& solver;
    Matrix<T> matrix;  ///< a medium in pinned memory
    std::span<const T> start;
    int steps;  ///< at least 1
    std::size_t device_values;
    std::function<Pieces(int)> pieces_at;  ///< of a height; throws where the device holds no piece
};

/// A height, and in one line why.
struct HeightChoice {
    int height;
    std::string reason;
};

/// The height that the model (height.hpp) finds fastest, and a trial among it and its neighbours. A GPU's
/// ceilings are measured for it, which takes seconds. Without a GPU the padding decides, and with the CPU in
/// its place the trial. No height above 65536 is looked at. Throws what pieces_at threw where no height has
/// pieces.
template <class T>
HeightChoice choose_height(const HeightQuestion<T>& question);

}  // namespace gridmark::pyramid
