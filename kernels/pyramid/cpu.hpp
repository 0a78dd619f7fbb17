#pragma once

#include <span>
#include <string>
#include <string_view>

#include "kernels/pyramid/medium.hpp"
#include "kernels/pyramid/problem.hpp"

namespace gridmark::pyramid {

/// A step of the whole rod on the CPU, shared by `threads` OpenMP threads. It does what gpu_local_inverse
/// does, tile by tile; each lane of a vector has a tile of its own. x and f are different arrays of n values.
template <class T>
void cpu_openmp(const Problem& problem, std::span<const T> f, std::span<T> x, int threads);

/// A version of a rod in the host's memory.
struct CpuVariant {
    std::string_view name;
    bool serial = false;  ///< in place and in one thread: Thomas's algorithm (thomas.hpp) or
    bool lapack = false;  ///< LAPACK's gtsv (medium.hpp)

    /// Why this machine cannot run it; empty if it can.
    std::string unavailable_reason() const { return lapack ? lapack_unavailable_reason() : std::string(); }
};

inline constexpr CpuVariant cpu_variants[]{
    {.name = "cpu_thomas", .serial = true},
    {.name = "cpu_gtsv", .serial = true, .lapack = true},
    {.name = "cpu_openmp"},
};

/// The version of that name, or nullptr.
inline const CpuVariant* find_cpu_variant(std::string_view name) {
    for (const CpuVariant& variant : cpu_variants)
        if (variant.name == name) return &variant;
    return nullptr;
}

}  // namespace gridmark::pyramid
