#pragma once

#include "kernels/maxwell/pinned.hpp"
#include "kernels/maxwell/streamed.hpp"
#include "kernels/maxwell/time_skew.hpp"

namespace gridmark::maxwell {

/// Trips of several steps through the device, by a variant that does a step in one launch: see
/// time_skewing.cpp. `coefficients`, as the variant takes them, must outlive it. Allocates device_bytes.
template <class T>
std::unique_ptr<StreamedSolver<T>> time_skewed(launch::Device& device, const GpuVariant<T>& variant,
                                               const Problem& problem,
                                               const PinnedCoefficients<T>& coefficients,
                                               const TimeSkew& skew, int threads);

/// Bytes of a step, when all trips are whole ones.
template <class T>
Traffic traffic(const Layout& layout, const GpuVariant<T>& variant, const TimeSkew& skew);

}  // namespace gridmark::maxwell
