#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "kernels/launch/streams.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"

/// What lives in host memory and goes through a device that holds a part of it at a time.
namespace gridmark::maxwell {

/// Six arrays of zeros.
template <class T>
class PinnedFields {
  public:
    PinnedFields(launch::Device& device, const Layout& layout, int threads);
    std::array<T*, components> data{};

  private:
    std::vector<std::unique_ptr<launch::Pinned<T>>> arrays_;
};

/// Copies of coefficients, for streamed versions to share.
template <class T>
class PinnedCoefficients {
  public:
    /// As nine arrays.
    PinnedCoefficients(launch::Device& device, const Coefficients<T>& coefficients, int threads);
    /// By index.
    PinnedCoefficients(launch::Device& device, const MaterialIndex<T>& index, int threads);
    /// Enters the arrays (null if by index).
    void enter(Arrays<T>& arrays) const;
    /// Null if as arrays; the tables lie in ordinary memory.
    Indexed<T> index() const;

  private:
    std::vector<std::unique_ptr<launch::Pinned<T>>> arrays_;
    std::unique_ptr<launch::Pinned<std::uint8_t>> number_;
    std::vector<OfE<T>> of_e_;
    std::vector<OfH<T>> of_h_;
};

/// Coefficients as a version takes them. Throws launch::Unavailable if it takes them by index and there are
/// too many.
template <class T>
std::unique_ptr<PinnedCoefficients<T>> pinned_coefficients(launch::Device& device,
                                                           const GpuVariant<T>& variant,
                                                           const Problem& problem,
                                                           const Coefficients<T>& coefficients, int threads);

}  // namespace gridmark::maxwell
