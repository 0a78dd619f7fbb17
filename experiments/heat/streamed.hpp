#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "experiments/heat/case.hpp"
#include "experiments/heat/stepper.hpp"
#include "harness/experiment.hpp"
#include "kernels/heat/streamed.hpp"

/// Grids in host memory that go through the GPU in slabs: the explicit method beside the study `pyramid`'s
/// implicit one.
namespace gridmark::heat {

/// A way through the GPU, and which kernel steps a slab there.
struct StreamedVersion {
    std::string_view name;
    Schedule schedule;
    std::string_view kernel;
};

inline constexpr StreamedVersion streamed_versions[]{
    {"gpu_pyramid", Schedule::pyramid, "gpu_queue"},
    {"gpu_skewed", Schedule::skewed, "gpu_queue"},
};

/// The version of that name, or nullptr.
inline const StreamedVersion* find_streamed_version(std::string_view name) {
    for (const StreamedVersion& version : streamed_versions)
        if (version.name == name) return &version;
    return nullptr;
}

/// Slabs of that depth.
template <class T>
Slabs slabs_of(const Problem& problem, const StreamedVersion& version, int height, int depth);
/// The deepest slabs that `values` on the device hold. Throws std::invalid_argument where none does.
template <class T>
Slabs slabs_for(const Problem& problem, const StreamedVersion& version, int height, std::size_t values);

/// A grid in pinned host memory.
template <class T>
class StreamedStepper : public Stepper<T> {
  public:
    /// Bytes that all passes moved over the link.
    virtual launch::Moved moved() const = 0;
};

/// Pinned memory of a stepper. The next one of the same grid may take it over: to pin gigabytes takes
/// seconds.
template <class T>
struct PinnedFields {
    std::unique_ptr<launch::Pinned<T>> first, second, beta;
    const T* beta_from = nullptr;  ///< whose copy it is
};
/// What was pinned last, or null. Must not outlive the device.
template <class T>
using KeptFields = std::shared_ptr<PinnedFields<T>>;

/// `beta` is copied. With `kept` its memory is used where no other stepper uses it, and left there.
template <class T>
std::unique_ptr<StreamedStepper<T>> streamed_stepper(launch::Device& device, const Problem& problem,
                                                     const StreamedVersion& version, const Slabs& slabs,
                                                     std::span<const T> beta, KeptFields<T>* kept = nullptr);

/// Adds what a preset measures of them.
void add_streamed(harness::Plan& plan, const harness::PlanContext& context);

/// Sizes of the user's own.
harness::Point streamed_point(const harness::PlanContext& context, const StreamedVersion& version, Size size,
                              const harness::Settings& settings);

}  // namespace gridmark::heat
