#pragma once

#include <memory>
#include <optional>
#include <string>

#include "experiments/maxwell/case.hpp"
#include "experiments/maxwell/version.hpp"
#include "harness/peers/peer_program.hpp"
#include "harness/points.hpp"

namespace gridmark::maxwell {

using harness::Part;

/// A version on a grid of that size, ready to be verified and timed. T is float or double.
template <class T>
std::unique_ptr<harness::Work> cpu_work(const std::string& variant, Size size, int threads,
                                        std::uint64_t seed, Scene scene = Scene::random);
/// Beside the usual: another scene than the version's own, rows of another alignment, and the CPU's threads
/// for Faces::host.
struct InCoreOptions {
    std::optional<Scene> scene = {};
    int alignment = row_alignment;
    int threads = 1;
};
template <class T>
std::unique_ptr<harness::Work> in_core_work(launch::Device& device, const std::string& variant, Size size,
                                            std::uint64_t seed, const InCoreOptions& options = {});

/// A streamed version; parts with the same schedule share it when they are made one after the other.
template <class T>
std::unique_ptr<harness::Work> streamed_work(launch::Device& device, const std::string& variant, Size size,
                                             const StreamingSchedule& schedule, Part part, int threads,
                                             std::uint64_t seed);

/// Another framework's step on n^3 nodes: the fields, the nine coefficients at random and the wave of all
/// versions of that size. T is float or double.
template <class T>
std::unique_ptr<harness::Work> peer_work(const harness::Peer& peer, int n, std::uint64_t seed);

}  // namespace gridmark::maxwell
