#pragma once

#include "kernels/maxwell/pinned.hpp"
#include "kernels/maxwell/skew.hpp"
#include "kernels/maxwell/streamed.hpp"

namespace gridmark::maxwell {

/// Trips of several steps through the device, by a variant that does a step in one launch: see skewed.cpp.
/// `coefficients`, as the variant takes them, must outlive it. Allocates device_bytes.
template <class T>
std::unique_ptr<StreamedSolver<T>> skewed(launch::Device& device, const GpuVariant<T>& variant,
                                          const Problem& problem, const PinnedCoefficients<T>& coefficients,
                                          const Skew& skew, int threads);

/// Bytes of a step, when all trips are whole ones.
template <class T>
Traffic traffic(const Layout& layout, const GpuVariant<T>& variant, const Skew& skew);

}  // namespace gridmark::maxwell
