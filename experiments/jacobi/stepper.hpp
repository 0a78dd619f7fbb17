#pragma once

#include <memory>
#include <string>

#include "harness/stepper.hpp"
#include "kernels/jacobi/gpu.hpp"

namespace gridmark::jacobi {

/// Fields are nx * ny values of psi; a step is a sweep. Fixed points are not written: `target` must hold
/// them.
template <class T>
using Stepper = harness::Stepper<T>;

/// A CPU version; one that is not parallel takes no notice of `threads`.
template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads,
                                        std::span<const T> omega);

/// A GPU version on the device where `omega` lies. Throws std::invalid_argument for a grid or a tiling that
/// it cannot run there.
template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem,
                                        const std::string& variant, const Tiling& tiling,
                                        launch::Carveout carveout, const T* omega);

}  // namespace gridmark::jacobi
