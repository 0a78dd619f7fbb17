#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <ostream>
#include <random>
#include <string>
#include <vector>

#include "kernels/jacobi/cpu.hpp"
#include "kernels/jacobi/gpu.hpp"
#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/make_device.hpp"

/// Every variant as one function over host arrays, so that one test holds all of them to the same contract.
namespace gridmark::jacobi_tests {

using jacobi::Problem;
using jacobi::Tiling;
using Order = launch::HostOptions::Order;

template <class T>
struct Sweep {
    std::string name;
    std::function<void(const Problem&, const std::vector<T>& psi, const std::vector<T>& omega,
                       std::vector<T>& next)>
        run;
    bool rewrites = false;  ///< may store a fixed point's own value again, as whole vectors do
};

template <class T>
Sweep<T> on_cpu(const jacobi::CpuVariant<T>& variant, int threads) {
    return {std::string(variant.name) + " with " + std::to_string(threads) + " threads",
            [threads, &variant](const Problem& p, const auto& psi, const auto& omega, auto& next) {
                variant.sweep(p, psi.data(), omega.data(), next.data(), threads);
            }};
}

/// A GPU version on the host executor.
template <class T>
Sweep<T> on_host(const jacobi::GpuVariant<T>& variant, Tiling tiling, Order order) {
    const std::shared_ptr<launch::Device> device = launch::host_device({order, 20131});
    return {std::string(variant.name) + " 32x" + std::to_string(tiling.tile_y) + " / 32x" +
                std::to_string(tiling.block_y),
            [device, &variant, tiling](const Problem& p, const auto& psi, const auto& omega, auto& next) {
                const launch::Buffer<T> from(*device, psi), source(*device, omega);
                launch::Buffer<T> to(*device, std::span<const T>(next));
                launch::Buffer<unsigned char> scratch(*device,
                                                      std::vector<unsigned char>(variant.scratch_bytes(p)));
                variant.check(p, tiling);
                variant.prepare(device->stream(), p, tiling, launch::Carveout::prefer_l1);
                variant.sweep(device->stream(), p, tiling, 1,
                              {from.data(), source.data(), to.data(), scratch.data()});
                device->synchronize();
                to.download(next);
            },
            variant.origin == launch::Origin::optimised};
}

template <class T>
std::vector<Sweep<T>> cpu_sweeps() {
    std::vector<Sweep<T>> result;
    for (const auto& variant : jacobi::cpu_variants<T>)
        for (const int threads : {1, 3})
            if (threads == 1 || variant.parallel) result.push_back(on_cpu(variant, threads));
    return result;
}

/// A sweep of every tiled GPU version at every one of the tilings that it accepts.
template <class T>
std::vector<Sweep<T>> gpu_sweeps(const std::vector<Tiling>& tilings, Order order) {
    std::vector<Sweep<T>> result;
    for (const auto& variant : jacobi::gpu_variants<T>(launch::Executor::host)) {
        if (!variant.tiled) continue;
        for (const Tiling& tiling : tilings) {
            try {
                variant.check(jacobi::channel(64, 48), tiling);
            } catch (const std::invalid_argument&) {
                continue;
            }
            result.push_back(on_host(variant, tiling, order));
        }
    }
    return result;
}

template <class T>
std::vector<Sweep<T>> all_sweeps() {
    auto result = cpu_sweeps<T>();
    for (auto& sweep : gpu_sweeps<T>({{8, 4}}, Order::random))
        result.push_back(std::move(sweep));
    return result;
}

// --- what the tests of all versions sweep over

/// Random everywhere, walls and body too.
template <class T>
std::vector<T> random_field(const jacobi::Problem& p, unsigned seed) {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<T> uniform(-1, 1);
    std::vector<T> field(static_cast<std::size_t>(p.nx) * p.ny);
    for (T& value : field)
        value = uniform(engine);
    return field;
}

/// `field` with `value` at every point that is (not) fixed.
template <class T>
std::vector<T> with(const jacobi::Problem& p, std::vector<T> field, bool fixed, T value) {
    for (int j = 0; j < p.ny; ++j)
        for (int i = 0; i < p.nx; ++i)
            if ((kind(p, i, j) == jacobi::Kind::fixed) == fixed) field[i + j * p.nx] = value;
    return field;
}

/// `field` with NaN wherever a sweep must write.
template <class T>
std::vector<T> poisoned(const jacobi::Problem& p, const std::vector<T>& field) {
    return with(p, field, false, std::numeric_limits<T>::quiet_NaN());
}

/// A channel spaced so that hx != hy and c is not small beside a and b.
inline jacobi::Problem uneven_channel(int nx, int ny) {
    jacobi::Problem p = jacobi::channel(nx, ny);
    p.hx = 0.9;
    p.hy = 0.7;
    return p;
}

/// Expects `got` to be what the reference makes of psi in so many sweeps, but for the rounding of T.
template <class T>
void expect_swept(const jacobi::Problem& p, const std::vector<T>& psi, const std::vector<T>& omega,
                  int sweeps, const std::vector<T>& got) {
    const auto expected = jacobi::reference_solve(p, std::vector<double>(psi.begin(), psi.end()),
                                                  std::vector<double>(omega.begin(), omega.end()), sweeps);
    const double bound = jacobi::rounding_bound<T>(sweeps, 1, std::abs(jacobi::coefficients<double>(p).c));
    for (std::size_t k = 0; k < got.size(); ++k)
        ASSERT_LE(std::abs(static_cast<double>(got[k]) - expected[k]), bound)  // false for NaN
            << "at (" << k % p.nx << ", " << k / p.nx << "): " << got[k] << " instead of " << expected[k];
}

}  // namespace gridmark::jacobi_tests
