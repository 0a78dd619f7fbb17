#pragma once

#include <memory>
#include <string>

#include "experiments/pyramid/sweep.hpp"
#include "harness/peers/peer_program.hpp"
#include "harness/points.hpp"
#include "kernels/pyramid/out_of_core.hpp"

namespace gridmark::pyramid {

using harness::Part;

/// A solver of a whole rod in memory, ready to be verified and timed: on the GPU, or one of the CPU.
template <class T>
std::unique_ptr<harness::Work> in_memory_work(launch::Device& gpu, const std::string& variant, std::size_t n,
                                              double s, std::uint64_t seed);
template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, std::size_t n, double s, int threads,
                                        std::uint64_t seed);

/// The CPU in a device's place, for as long as the program runs.
launch::Device& cpu_device();

/// A height of a sweep; the parts of one height share their driver when they are made one after the other.
template <class T>
std::unique_ptr<harness::Work> streamed_work(launch::Device& device, const Sweep& sweep, int height,
                                             Part part, int threads, std::uint64_t seed);

/// What a pass of a sweep's height does, counted while it runs and is verified: by the driver's own calls.
/// Throws std::runtime_error where its answer is wrong.
Traffic counted_pass(launch::Device& device, const Sweep& sweep, int height, int threads, std::uint64_t seed);

/// Values of host memory that such a pass takes, in layers of the rod: the fields, and the driver's buffers.
double host_layers(launch::Device& device, const Sweep& sweep, int height, int threads, std::uint64_t seed);

/// Bytes that such a pass moves, as the GPU's copy engines record them. Throws launch::Unavailable without
/// CUPTI.
launch::Moved recorded_pass(launch::Device& device, const Sweep& sweep, int height, int threads,
                            std::uint64_t seed);

/// Another framework's step of a whole rod in memory, from the start of all versions of that order. T is
/// float or double.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, std::size_t n, double s,
                                         std::uint64_t seed);

}  // namespace gridmark::pyramid
