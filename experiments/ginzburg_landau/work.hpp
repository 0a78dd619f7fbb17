#pragma once

#include <memory>
#include <string>

#include "experiments/ginzburg_landau/stepper.hpp"
#include "harness/experiment.hpp"
#include "harness/peers/peer_program.hpp"

namespace gridmark::ginzburg_landau {

/// A kernel on n pairs in blocks of `block` threads, ready to be verified and timed. T is float or double.
template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const std::string& variant, int n, int block,
                                        std::uint64_t seed);

/// The same for a CPU version.
template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, int n, int threads, std::uint64_t seed);

/// Another framework's step of n pairs, from the start of all versions of that size. T is float or double.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed);

}  // namespace gridmark::ginzburg_landau
