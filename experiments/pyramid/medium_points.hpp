#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "kernels/pyramid/medium.hpp"

namespace gridmark::pyramid {

/// The media that rows are measured with: layers of two conductivities a hundred times apart, a random matrix
/// and a nearly singular one.
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

}  // namespace gridmark::pyramid
