#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "kernels/ginzburg_landau/cpu.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/reference.hpp"
#include "kernels/isa.hpp"
#include "kernels/launch/device.hpp"

/// Every version as a function from a state to the state some steps later.
namespace gridmark::ginzburg_landau_tests {

using ginzburg_landau::Problem;

template <class T>
struct Version {
    std::string name;
    bool fuses;  ///< whether it may round otherwise than the reference of its type
    std::function<std::vector<T>(const Problem&, const std::vector<T>& start, int steps)> solve;
};

/// States that nothing was written to: a point that a version forgets shows.
template <class T>
std::vector<T> unwritten(const Problem& p, int states = 1) {
    return std::vector<T>(p.values() * static_cast<std::size_t>(states), std::numeric_limits<T>::quiet_NaN());
}

/// The CPU's versions, each with several numbers of threads.
template <class T>
std::vector<Version<T>> cpu_versions() {
    std::vector<Version<T>> versions;
    for (const auto& variant : ginzburg_landau::cpu_variants<T>)
        for (const int threads : {1, 2, 3, 5}) {
            if (threads > 1 && !variant.parallel) continue;
            const auto solve = [&variant, threads](const Problem& p, const std::vector<T>& start, int steps) {
                auto now = unwritten<T>(p), next = now, scratch = unwritten<T>(p, variant.scratch_states);
                ginzburg_landau::copy_state(p, start.data(), now.data(), 3);
                variant.steps(p, now.data(), next.data(), scratch.data(), steps, threads);
                return steps % 2 == 0 ? now : next;
            };
            versions.push_back({std::string(variant.name) + ", " + std::to_string(threads) + " threads",
                                (variant.parallel ? widest_isa() : compiled_isas[0]) != Isa::sse, solve});
        }
    return versions;
}

/// The kernels on a device, in blocks of `block` threads.
template <class T>
std::vector<Version<T>> gpu_versions(launch::Device& device, int block) {
    std::vector<Version<T>> versions;
    for (const auto& variant : ginzburg_landau::gpu_variants<T>(device.executor())) {
        if (!variant.takes_block && block != 96) continue;  // once is enough
        const auto solve = [&device, &variant, block](const Problem& p, const std::vector<T>& start,
                                                      int steps) {
            launch::Buffer<T> now(device, std::span<const T>(start)),
                next(device, std::span<const T>(unwritten<T>(p)));
            launch::Buffer<T> scratch(device, p.values() * static_cast<std::size_t>(variant.scratch_states));
            variant.check(p, block);
            if (scratch.size() > 0) device.fill_bytes(scratch.data(), 0, scratch.size() * sizeof(T));
            for (int left = steps, made = 0; left > 0; left -= made, now.swap(next)) {
                made = variant.steps_per_launch.next(left);
                variant.step(device.stream(), p, block, made, now.data(), next.data(), scratch.data());
            }
            device.synchronize();
            std::vector<T> result(p.values());
            now.download(result);
            return result;
        };
        const bool as_listed = variant.name == "gpu_overlap8_listing";  // in the slides' order of operations
        versions.push_back({std::string(variant.name) + ", block " + std::to_string(block),
                            device.executor() == launch::Executor::gpu || as_listed, solve});
    }
    return versions;
}

/// Largest distance between two states; infinite where one is not finite.
template <class T, class U>
double distance(const std::vector<T>& a, const std::vector<U>& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const double apart = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        most = std::isfinite(apart) ? std::max(most, apart) : HUGE_VAL;
    }
    return most;
}

}  // namespace gridmark::ginzburg_landau_tests
