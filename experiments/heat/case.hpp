#pragma once

#include <memory>
#include <vector>

#include "harness/cache.hpp"
#include "harness/points.hpp"
#include "harness/stepper.hpp"
#include "kernels/heat/gpu.hpp"
#include "kernels/launch/device.hpp"

namespace gridmark::heat {

using Size = harness::GridSize;

/// Of a random start: the largest beta dt / dx^2, and what no temperature exceeds.
inline constexpr double random_ratio = 0.05, hottest = 57;

/// A start, and what the double reference makes of it in a few steps. Random, with beta
/// dt / dx^2 up to 0.05: in tissue a step changes the temperature by parts of a hundred thousand, which a
/// float can hardly tell from nothing. Made once and shared by all versions of that size.
template <class T>
struct Case : harness::StepCase<T> {
    Problem problem;
    std::vector<T> beta;

    Case(Size size, std::uint64_t seed);
};

/// The case of that size; those asked for are kept as long as memory is plenty.
template <class T>
std::shared_ptr<const Case<T>> shared_case(Size size, std::uint64_t seed) {
    return harness::shared<Case<T>>(size.points() * (2 * sizeof(T) + sizeof(double)), size, seed);
}

/// A case's beta on a device, as the kernels read it; kept like the case itself.
template <class T>
struct DeviceCase {
    std::shared_ptr<const Case<T>> host;
    launch::Buffer<T> beta;
    launch::Texture3<T> texture;

    DeviceCase(launch::Device& device, std::shared_ptr<const Case<T>> of)
        : host(std::move(of)),
          beta(device, host->beta),
          texture(device, beta, host->problem.nx, host->problem.ny, host->problem.nz) {}
    BetaFields<T> fields() const { return {texture.view(), beta.data()}; }
};

}  // namespace gridmark::heat
