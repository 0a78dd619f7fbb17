#pragma once

#include <memory>

#include "kernels/maxwell/averages.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/solver.hpp"

namespace gridmark::maxwell {

/// Coefficients and inverse spacings on a device; versions in memory share them.
template <class T>
class DeviceCoefficients {
  public:
    DeviceCoefficients(launch::Device& device, const Grid& grid, const Coefficients<T>& coefficients);
    /// Enters them, and the layout.
    void enter(Arrays<T>& arrays) const;

  private:
    Layout layout_;
    launch::Buffer<T> eps_[3], sigma_[3], mu_[3], half_[3], node_[3];
};

/// A GPU version with everything on the device: coefficients, fields, wave and source. Its steps are launches
/// alone. `coefficients` must outlive it.
template <class T>
std::unique_ptr<Solver<T>> in_core(launch::Device& device, const GpuVariant<T>& variant,
                                   const Problem& problem, const DeviceCoefficients<T>& coefficients);

}  // namespace gridmark::maxwell
