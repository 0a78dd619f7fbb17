#pragma once

#include <memory>
#include <string>

#include "harness/experiment.hpp"
#include "harness/peers/peer_program.hpp"
#include "kernels/jacobi/gpu.hpp"

namespace gridmark::jacobi {

/// A GPU variant at one configuration, ready to be verified and timed; an iteration is a launch. One that
/// needs no tiling takes no notice of it. T is float or double.
template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const std::string& variant, int nx, int ny,
                                        const Tiling& tiling, launch::Carveout carveout, std::uint64_t seed);

/// The same for a CPU variant.
template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, int nx, int ny, int threads,
                                        std::uint64_t seed);

/// Another framework's sweep at one size, from the start and with the right-hand side of all variants of that
/// size. T is float or double.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int nx, int ny, std::uint64_t seed);

}  // namespace gridmark::jacobi
