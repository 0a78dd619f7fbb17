#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "kernels/pyramid/medium.hpp"

namespace gridmark::pyramid {

/// The media that rows are measured with.
inline constexpr const char* media[]{"layered", "random", "nearly_singular"};

/// One of them, by its name, and a start. The same for all versions.
template <class T>
struct MediumCase {
    std::string kind;
    std::size_t n;
    std::uint64_t seed;
    std::vector<T> lower, diagonal, upper, start;

    MediumCase(std::string kind, std::size_t n, std::uint64_t seed);
    Medium<T> medium() const { return {lower, diagonal, upper}; }
};

/// A step with one of them in memory, by cpu_thomas, cpu_gtsv, gpu_cyclic_reduction or gpu_cusparse. Of
/// another variant the point says that it cannot.
template <class T>
harness::Point medium_point(const harness::PlanContext& context, const std::string& variant,
                            const std::string& kind, std::size_t n);

/// Steps with a medium in memory, on the GPU and the CPU: layers of two conductivities a hundred times apart,
/// a random matrix and a nearly singular one. The made media are the same for all versions.
void add_media(harness::Plan& plan, const harness::PlanContext& context);

}  // namespace gridmark::pyramid
