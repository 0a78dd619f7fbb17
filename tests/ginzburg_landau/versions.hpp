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

/// A CPU version from its call with now, next, scratch.
template <class T, class Steps>
Version<T> cpu_version(std::string name, bool fuses, Steps steps_of) {
    return {std::move(name), fuses, [steps_of](const Problem& p, const std::vector<T>& start, int steps) {
                auto now = unwritten<T>(p), next = now, scratch = unwritten<T>(p, 2);
                ginzburg_landau::copy_state(p, start.data(), now.data(), 3);
                steps_of(p, now.data(), next.data(), scratch.data(), steps);
                return steps % 2 == 0 ? now : next;
            }};
}

/// The CPU's versions, each with several numbers of threads.
template <class T>
std::vector<Version<T>> cpu_versions() {
    const bool fuses = has_isa(Isa::avx2);
    std::vector<Version<T>> versions{
        cpu_version<T>("cpu_serial", false, [](const Problem& p, T* now, T* next, T* scratch, int steps) {
            ginzburg_landau::cpu_serial(p, now, next, scratch, steps);
        })};
    for (const int threads : {1, 2, 3, 5}) {
        const std::string team = ", " + std::to_string(threads) + " threads";
        versions.push_back(cpu_version<T>(
            "cpu_openmp" + team, fuses, [threads](const Problem& p, T* now, T* next, T* scratch, int steps) {
                ginzburg_landau::cpu_openmp(p, now, next, scratch, steps, threads);
            }));
        versions.push_back(cpu_version<T>("cpu_overlap" + team, fuses,
                                          [threads](const Problem& p, T* now, T* next, T*, int steps) {
                                              ginzburg_landau::cpu_overlap(p, now, next, steps, threads);
                                          }));
    }
    return versions;
}

/// The kernels on a device, in blocks of `block` threads.
template <class T>
std::vector<Version<T>> gpu_versions(launch::Device& device, int block) {
    std::vector<Version<T>> versions;
    for (const auto& variant : ginzburg_landau::gpu_variants<T>(device.executor())) {
        // Those of many steps choose their blocks themselves: once is enough.
        if (variant.most_steps > 1 && block != 96) continue;
        const auto solve = [&device, &variant, block](const Problem& p, const std::vector<T>& start,
                                                      int steps) {
            launch::Buffer<T> now(device, std::span<const T>(start)),
                next(device, std::span<const T>(unwritten<T>(p)));
            launch::Buffer<T> scratch(device, p.values() * static_cast<std::size_t>(variant.scratch_states));
            variant.check(p, block);
            if (variant.most_steps > 1 && scratch.size() > 0)
                device.fill_bytes(scratch.data(), 0, scratch.size() * sizeof(T));
            for (int left = steps; left > 0; left -= variant.most_steps, now.swap(next))
                variant.step(device.stream(), p, block, std::min(left, variant.most_steps), now.data(),
                             next.data(), scratch.data());
            device.synchronize();
            std::vector<T> result(p.values());
            now.download(result);
            return result;
        };
        versions.push_back({std::string(variant.name) + ", block " + std::to_string(block),
                            device.executor() == launch::Executor::gpu, solve});
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
