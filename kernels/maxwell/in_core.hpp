#pragma once

#include <memory>

#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"

namespace gridmark::maxwell {

/// Coefficients and inverse spacings on a device; versions in memory share them.
template <class T>
class DeviceCoefficients {
  public:
    /// As nine arrays.
    DeviceCoefficients(launch::Device& device, const Grid& grid, const Coefficients<T>& coefficients);
    /// By index.
    DeviceCoefficients(launch::Device& device, const Grid& grid, const MaterialIndex<T>& index);
    /// As the materials of cells.
    DeviceCoefficients(launch::Device& device, const Grid& grid, const CellMaterials<T>& cells);
    const Layout& layout() const { return layout_; }
    /// Enters the layout, spacings and arrays or cells (null if they come otherwise).
    void enter(Arrays<T>& arrays) const;
    /// Null if as arrays.
    Indexed<T> index() const;

  private:
    DeviceCoefficients(launch::Device& device, const Grid& grid, const Layout& layout);
    Layout layout_;
    launch::Buffer<T> eps_[3], sigma_[3], mu_[3], half_[3], node_[3];
    launch::Buffer<std::uint8_t> number_;
    int width_ = 0;
    launch::Buffer<OfE<T>> of_e_;
    launch::Buffer<OfH<T>> of_h_;
    launch::Buffer<int> cell_;
    launch::Buffer<Layer<T>> layers_;
    launch::Buffer<T> before_[3], behind_[3];
};

/// Coefficients as a version takes them. Throws launch::Unavailable if it takes them by index and there are
/// too many.
template <class T>
std::unique_ptr<DeviceCoefficients<T>> device_coefficients(launch::Device& device,
                                                           const GpuVariant<T>& variant,
                                                           const Problem& problem, const Body& body,
                                                           const Coefficients<T>& coefficients);

/// Bytes on the device of a version in memory and its coefficients.
template <class T>
std::size_t in_core_bytes(const Layout& layout, const GpuVariant<T>& variant, const CoefficientSize& size);

/// A GPU version with everything on the device: coefficients, fields, wave and source. Its steps are launches
/// alone, but for Faces::host, where the CPU's `threads` set the ghosts. `coefficients` must outlive it.
template <class T>
std::unique_ptr<Solver<T>> in_core(launch::Device& device, const GpuVariant<T>& variant,
                                   const Problem& problem, const DeviceCoefficients<T>& coefficients,
                                   int threads = 1);

}  // namespace gridmark::maxwell
