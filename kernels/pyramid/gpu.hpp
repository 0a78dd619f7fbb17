#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/launch/demand.hpp"
#include "kernels/launch/device.hpp"
#include "kernels/launch/kernel_info.hpp"
#include "kernels/launch/variants.hpp"

/// The study's tridiagonal solvers on a device, for either executor (a GPU or the host).
namespace gridmark::pyramid {

/// Rounded up, so that arrays one after the other all begin at multiples of 256 bytes.
template <class T>
constexpr std::size_t aligned(std::size_t values) {
    constexpr std::size_t unit = 256 / sizeof(T);
    return (values + unit - 1) / unit * unit;
}

/// A solver of A x = f for the m x m matrix of a piece, zero outside both ends. Each kernel file ends with
/// the entry of its own; the build lists them.
template <class T>
struct GpuVariant {
    std::string_view name;
    launch::Origin origin = launch::Origin::optimised;
    bool on_cpu = false;    ///< the CPU's own step in a device's place
    bool in_place = false;  ///< the answer stands where f stood; x is not used
    double rounding = 1;    ///< what rounding does to it, in multiples of rounding_bound (thomas.hpp) at most
    launch::StepsPerLaunch steps_per_launch = {};
    /// Why it cannot solve with this s; empty if it can.
    std::string (*unavailable_reason)(double s) = [](double) { return std::string(); };
    /// Values of scratch that a solve of order m needs. It grows with m.
    std::size_t (*scratch)(std::size_t m) = [](std::size_t) { return std::size_t{0}; };
    /// Puts into the stream what makes scratch ready for any number of solves with this s and m.
    void (*prepare)(launch::Stream, double s, std::size_t m, T* scratch) = [](launch::Stream, double,
                                                                              std::size_t, T*) {};
    /// Puts `count` steps, a number that steps_per_launch.next() gave, into the stream. f and x are different
    /// arrays of m values; f may be overwritten.
    launch::Required<void(launch::Stream, double s, std::size_t m, int count, T* f, T* x, T* scratch)> solve;
    /// Kernels of a solve of m rows, of a solver without `demand`.
    int (*launches)(std::size_t m) = [](std::size_t) { return 1; };
    std::optional<launch::KernelInfo> (*info)() = [] { return std::optional<launch::KernelInfo>(); };
    /// What the launches of `count` steps ask of a chip; null, as where another's library does them: it has a
    /// limit, and no model.
    std::vector<launch::Demand> (*demand)(double s, std::size_t m, int count, const launch::Chip&) = nullptr;
    /// The same solver for any three diagonals (medium.hpp), or nullptr. Before prepare() they stand at the
    /// beginning of its scratch, aligned<T>(m) values apart: lower, diagonal, upper. It makes no use of s.
    const GpuVariant<T>* medium = nullptr;
};

/// Puts h steps into the stream. The answer stands in `now`; `next` takes its part unless the solver works in
/// place. Gives the rows that the calls of the solver solve.
template <class T>
std::size_t advance(const GpuVariant<T>& solver, launch::Stream stream, double s, std::size_t m, int h,
                    T*& now, T*& next, T* scratch) {
    std::size_t rows = 0;
    while (h > 0) {
        const int count = solver.steps_per_launch.next(h);
        solver.solve(stream, s, m, count, now, next, scratch);
        rows += m * static_cast<std::size_t>(count);
        if (!solver.in_place) std::swap(now, next);
        h -= count;
    }
    return rows;
}

/// The solvers compiled for `executor`; empty for the GPU when built without the CUDA toolkit.
template <class T>
std::span<const GpuVariant<T>> gpu_variants(launch::Executor executor);

/// The solver of that name, or nullptr.
template <class T>
const GpuVariant<T>* find_gpu_variant(launch::Executor executor, std::string_view name);

}  // namespace gridmark::pyramid
