#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kernels/heat/cpu.hpp"
#include "kernels/heat/gpu.hpp"
#include "kernels/heat/start.hpp"

/// Every version as one function over host arrays, so that one test holds all of them to the same contract.
namespace gridmark::heat_tests {

using heat::Blocking;
using heat::Layout;
using heat::Problem;
using heat::Start;

template <class T>
struct Version {
    std::string name;
    std::function<Layout(const Problem&)> layout;
    /// One step between arrays in that layout.
    std::function<void(const Problem&, const Storage<T>& now, const std::vector<T>& beta, Storage<T>& next)>
        step;
    /// `steps` of them at once.
    int steps = 1;
    decltype(step) several = step;
};

template <class T>
Version<T> naive(int threads) {
    return {"cpu_naive with " + std::to_string(threads) + " threads", heat::tight_layout,
            [threads](const Problem& p, const auto& now, const auto& beta, auto& next) {
                heat::cpu_naive(p, now.data(), beta.data(), next.data(), threads);
            }};
}

inline std::string size(const heat::Extent& e) {
    return std::to_string(e.x) + "x" + std::to_string(e.y) + "x" + std::to_string(e.z);
}

/// cpu_blocked, or with an instruction set its vector version.
template <class T>
Version<T> blocked(const Isa* isa, const Blocking& b, int threads) {
    return {(isa == nullptr ? "cpu_blocked" : "isa " + std::to_string(static_cast<int>(*isa))) + " " +
                size(b.outer) + " / " + size(b.inner) + (b.streaming ? " streaming" : "") + " with " +
                std::to_string(threads) + " threads",
            [](const Problem& p) { return heat::aligned_layout(p, sizeof(T)); },
            [isa, b, threads](const Problem& p, const auto& now, const auto& beta, auto& next) {
                if (isa == nullptr)
                    heat::cpu_blocked(p, now.data(), beta.data(), next.data(), b, threads);
                else
                    heat::cpu_vector(*isa, p, now.data(), beta.data(), next.data(), b, threads);
            }};
}

/// cpu_wavefront with an instruction set; a single step is a pass of one.
template <class T>
Version<T> wavefront(Isa isa, const heat::Wavefront& w, int threads) {
    const auto run = [isa, threads](const heat::Wavefront& w) {
        const auto memory = std::make_shared<std::vector<Storage<T>>>(threads);
        return [isa, w, memory](const Problem& p, const auto& now, const auto& beta, auto& next) {
            heat::cpu_wavefront(isa, p, now.data(), beta.data(), next.data(), w, *memory);
        };
    };
    return {"isa " + std::to_string(static_cast<int>(isa)) + ", " + std::to_string(w.steps) + " steps on " +
                size(w.tile) + (w.streaming ? " streaming" : "") + " with " + std::to_string(threads) +
                " threads",
            [](const Problem& p) { return heat::aligned_layout(p, sizeof(T)); },
            run({1, w.tile, w.streaming}), w.steps, run(w)};
}

/// Tiles that fit and that do not, smaller than their rims and larger than the grid.
inline std::vector<heat::Wavefront> wavefronts() {
    return {{1, {16, 8, 4}, true},  {2, {64, 5, 2}, false},  {2, {1024, 100, 100}, true},
            {3, {16, 3, 6}, true},  {3, {48, 16, 8}, false}, {4, {32, 7, 12}, true},
            {5, {16, 1, 2}, false}, {6, {64, 20, 10}, true}};
}

/// Blocks that fit and that do not; two that ask for streaming where only the outer or only the inner blocks
/// start on cache lines.
inline std::vector<Blocking> blockings() {
    return {{{16, 8, 4}, {16, 4, 2}, false},   {{24, 24, 24}, {12, 12, 12}, false},
            {{5, 3, 7}, {3, 2, 1}, false},     {{5, 3, 7}, {3, 2, 1}, true},
            {{32, 32, 32}, {16, 5, 32}, true}, {{1000, 1000, 1000}, {1000, 1000, 1000}, false},
            {{64, 20, 12}, {64, 3, 12}, true}, {{32, 16, 8}, {5, 8, 8}, true},
            {{20, 16, 8}, {16, 8, 8}, true}};
}

template <class T>
std::vector<Version<T>> cpu_versions() {
    std::vector<Version<T>> result{naive<T>(1), naive<T>(3)};
    for (const Blocking& b : blockings())
        for (const int threads : {1, 3}) {
            if (threads > 1 && b.outer.x < 16 && b.streaming) continue;  // tiny blocks: barriers take seconds
            result.push_back(blocked<T>(nullptr, b, threads));
            for (const Isa& isa : compiled_isas)
                if (has_isa(isa)) result.push_back(blocked<T>(&isa, b, threads));
        }
    for (const heat::Wavefront& w : wavefronts())
        for (const Isa isa : compiled_isas)
            if (has_isa(isa)) result.push_back(wavefront<T>(isa, w, 1 + w.steps % 2 * 2));
    return result;
}

/// A GPU version on a device. The caller keeps the device.
template <class T>
Version<T> on_device(launch::Device& device, const heat::GpuVariant<T>& variant, heat::BetaPath path) {
    const auto launched = [&device, &variant, path](int count) {
        return [&device, &variant, path, count](const Problem& p, const Storage<T>& now,
                                                const std::vector<T>& beta, Storage<T>& next) {
            const launch::Buffer<T> from(device, std::span<const T>(now)), source(device, beta);
            launch::Buffer<T> to(device, std::span<const T>(next));
            const launch::Texture3<T> texture(device, source, p.nx, p.ny, p.nz);
            variant.prepare(variant.carveout, path);
            variant.step(device.stream(), p, path, {texture.view(), source.data()}, count, from.data(),
                         to.data());
            device.synchronize();
            to.download(next);
        };
    };
    return {std::string(variant.name) + (path == heat::BetaPath::texture ? " texture " : " load ") +
                std::string(variant.ablation),
            variant.layout, launched(1), variant.steps_per_launch.most,
            launched(variant.steps_per_launch.most)};
}

template <class T>
std::vector<Version<T>> gpu_versions(launch::Device& device) {
    std::vector<Version<T>> result;
    for (const auto& variant : heat::gpu_variants<T>(device.executor()))
        for (const auto path : {heat::BetaPath::texture, heat::BetaPath::load})
            if (path == heat::BetaPath::load || variant.texture)
                result.push_back(on_device(device, variant, path));
    for (const auto& variant : heat::gpu_variants<T>(device.executor()))
        for (const auto& ablation : variant.ablations())
            result.push_back(on_device(device, ablation, heat::BetaPath::texture));
    return result;
}

/// The two stored arrays of a solution after some steps, and its interior.
template <class T>
struct Solved {
    Storage<T> last, previous;
    std::vector<T> interior;
};

/// Some steps of a version; where a step must write there stand `poison`s before it.
template <class T>
Solved<T> solve(const Version<T>& version, const Problem& p, const Start<T>& start, int steps, T poison) {
    const Layout layout = version.layout(p);
    Solved<T> s{heat::store<T>(p, layout, start.t0),
                heat::store<T>(p, layout, std::vector<T>(p.points(), poison)),
                {}};
    for (int n = 0; n < steps; std::swap(s.last, s.previous)) {
        const bool several = n + version.steps <= steps;
        (several ? version.several : version.step)(p, s.last, start.beta, s.previous);
        n += several ? version.steps : 1;
    }
    s.interior.resize(p.points());
    heat::load<T>(p, layout, s.last.data(), s.interior);
    return s;
}

}  // namespace gridmark::heat_tests
