#pragma once

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "kernels/jacobi/cpu.hpp"
#include "kernels/jacobi/gpu.hpp"

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
};

template <class T>
Sweep<T> naive() {
    return {"cpu_naive", [](const Problem& p, const auto& psi, const auto& omega, auto& next) {
                jacobi::cpu_naive(p, psi.data(), omega.data(), next.data());
            }};
}

template <class T>
Sweep<T> openmp(int threads) {
    return {"cpu_openmp with " + std::to_string(threads) + " threads",
            [threads](const Problem& p, const auto& psi, const auto& omega, auto& next) {
                jacobi::cpu_openmp(p, psi.data(), omega.data(), next.data(), threads);
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
                variant.check(tiling);
                variant.prepare(device->stream(), p, tiling, launch::Carveout::prefer_l1);
                variant.sweep(device->stream(), p, tiling, from.data(), source.data(), to.data());
                device->synchronize();
                to.download(next);
            }};
}

template <class T>
std::vector<Sweep<T>> cpu_sweeps() {
    return {naive<T>(), openmp<T>(1), openmp<T>(3)};
}

/// Every GPU version at every one of the tilings that it accepts.
template <class T>
std::vector<Sweep<T>> gpu_sweeps(const std::vector<Tiling>& tilings, Order order) {
    std::vector<Sweep<T>> result;
    for (const auto& variant : jacobi::gpu_variants<T>(launch::Executor::host)) {
        for (const Tiling& tiling : tilings) {
            try {
                variant.check(tiling);
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

}  // namespace gridmark::jacobi_tests
