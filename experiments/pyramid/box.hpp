#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/peers/peer_program.hpp"
#include "harness/settings.hpp"
#include "harness/stepper.hpp"
#include "kernels/pyramid/box_out_of_core.hpp"

/// The versions of a box, how each steps it, and what is measured of them.
namespace gridmark::pyramid {

/// A library's solver of a box's lines, by how it wants a batch of them.
enum class Library { none, interleaved, strided };

/// Where a version has its box.
struct BoxVersion {
    std::string_view name;
    bool on_gpu = true;
    bool streamed = false;
    Library library = Library::none;
};

inline constexpr BoxVersion box_versions[]{
    {.name = "cpu_box", .on_gpu = false},
    {.name = "gpu_box"},
    {.name = "gpu_box_skewed", .streamed = true},
    {.name = "gpu_box_cusparse", .library = Library::interleaved},
    {.name = "gpu_box_cusparse_strided", .library = Library::strided},
};

/// The version of that name, or nullptr.
inline const BoxVersion* find_box_version(std::string_view name) {
    for (const BoxVersion& version : box_versions)
        if (version.name == name) return &version;
    return nullptr;
}

/// A sweep's share of what a pass of `height` steps may leave out, in multiples of the largest value. Only
/// windows along z are cut; the other sweeps look as far ahead as a thread's registers go.
template <class T>
double sweep_share(const Box& box, int height, double tolerance);

/// A box in memory, or, with a skew, in pinned host memory. The field is advanced in place.
template <class T>
class BoxStepper : public harness::Stepper<T> {
  public:
    /// Bytes that all passes moved.
    virtual launch::Moved moved() const { return {}; }
};

template <class T>
std::unique_ptr<BoxStepper<T>> cpu_box_stepper(const Box& box, int threads);
/// Throws launch::Unavailable where the kernels do not reach far enough.
template <class T>
std::unique_ptr<BoxStepper<T>> gpu_box_stepper(launch::Device& device, const Box& box);
/// Why that solver cannot step this box; empty if it can.
std::string library_unavailable_reason(launch::Executor executor, const Box& box, Library library);
/// Steps by one of cuSPARSE's solvers; the other by any solver. Both throw launch::Unavailable where it
/// cannot run.
template <class T>
std::unique_ptr<BoxStepper<T>> library_box_stepper(launch::Device& device, const Box& box, Library library);
template <class T>
std::unique_ptr<BoxStepper<T>> library_box_stepper(launch::Device& device, const Box& box,
                                                   const BatchSolver<T>& solver);
template <class T>
std::unique_ptr<BoxStepper<T>> skewed_box_stepper(launch::Device& device, const Box& box,
                                                  const AxisSolve<T>& sweep, const Skew& skew, int threads);

/// Another framework's step of a box of three dimensions, in float. Each side has at least four times as many
/// points as a sweep reaches.
std::unique_ptr<harness::Work> box_peer_work(const harness::Peer& peer, const Box& box, std::uint64_t seed);

/// Adds the boxes of a preset.
void add_boxes(harness::Plan& plan, const harness::PlanContext& context);

/// Sizes of the user's own.
std::vector<harness::Point> box_points(const harness::PlanContext& context, const BoxVersion& version,
                                       const harness::Settings& settings);

/// `solve` of a version.
harness::Solution solve_box(const harness::SolveRequest& request, const harness::Settings& settings);
std::set<std::string> box_solve_keys();

}  // namespace gridmark::pyramid
