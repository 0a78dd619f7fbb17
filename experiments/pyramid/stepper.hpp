#pragma once

#include <memory>
#include <string>

#include "experiments/pyramid/version.hpp"
#include "harness/stepper.hpp"
#include "kernels/launch/streams.hpp"
#include "kernels/pyramid/problem.hpp"

namespace gridmark::pyramid {

/// Fields are rods of n values.
template <class T>
using Stepper = harness::Stepper<T>;

/// cpu_thomas (one thread) or cpu_openmp, the whole rod in memory.
template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads);

/// A solver on a device that holds the whole rod.
template <class T>
std::unique_ptr<Stepper<T>> in_memory_stepper(launch::Device& device, const Problem& problem,
                                              const GpuVariant<T>& solver);

/// Two layers of a rod in pinned memory, and what of the device's memory may be used. Pinning gigabytes takes
/// seconds, so steppers take turns with them.
template <class T>
struct Stage {
    launch::Device& device;
    launch::Pinned<T> now, next;
    launch::Buffer<T> memory;

    Stage(launch::Device& device, std::size_t n, std::size_t device_values)
        : device(device), now(device, n), next(device, n), memory(device, device_values) {}
};

/// The rod in pinned memory, advanced by passes of `height` steps; the last pass of several steps() has what
/// is left. Its parts can be had alone: of as many passes the transfers, or the solves.
template <class T>
class StreamedStepper : public Stepper<T> {
  public:
    virtual void transfers(int count) = 0;
    virtual void kernels(int count) = 0;
};

/// A version on a stage with the memory that it needs (device_values_of).
template <class T>
std::unique_ptr<StreamedStepper<T>> streamed_stepper(std::shared_ptr<Stage<T>> stage, const Version& version,
                                                     const GpuVariant<T>& solver, double s,
                                                     const Pieces& pieces, int height, int threads);

}  // namespace gridmark::pyramid
