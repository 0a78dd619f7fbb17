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

}  // namespace gridmark::jacobi_tests
