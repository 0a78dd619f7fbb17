#pragma once

#include <memory>

#include "kernels/maxwell/in_core.hpp"

namespace gridmark::maxwell {

/// A GPU version that does a step in one launch, with everything on the device; the fields twice, since they
/// go to and fro. `coefficients` must outlive it.
template <class T>
std::unique_ptr<Solver<T>> whole_steps(launch::Device& device, const GpuVariant<T>& variant,
                                       const Problem& problem, const DeviceCoefficients<T>& coefficients);

}  // namespace gridmark::maxwell
