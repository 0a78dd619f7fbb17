#pragma once

#include <memory>
#include <string>

#include "experiments/heat/case.hpp"
#include "experiments/heat/stepper.hpp"
#include "harness/experiment.hpp"
#include "harness/peers/peer_program.hpp"

namespace gridmark::heat {

/// A kernel on a case's points, ready to be verified and timed. T is float or double.
template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const Kernel& kernel, Size size,
                                        std::uint64_t seed);

/// The same for a CPU version.
template <class T>
std::unique_ptr<harness::Work> cpu_work(const CpuVariant& variant, Size size, const Cut& cut, int threads,
                                        std::uint64_t seed);

/// Another framework's step on n^3 points, from the start and with the beta of all versions of that size. T
/// is float or double.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed);

}  // namespace gridmark::heat
