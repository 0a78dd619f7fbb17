#include <omp.h>

#include <array>
#include <limits>

#include "kernels/launch/variants.hpp"
#include "kernels/pyramid/cpu.hpp"
#include "kernels/pyramid/cusparse.hpp"
#include "kernels/pyramid/gpu.hpp"
#include "kernels/pyramid/padding.hpp"
#include "kernels/pyramid/recurrence.hpp"

namespace gridmark::pyramid {
namespace {

std::string always_available(double) {
    return {};
}

template <class T>
std::string reach_unavailable_reason(double s) {
    const int reach = reach_of<T>(s);
    if (reach <= recurrence::farthest) return {};
    return "A^-1 reaches " + std::to_string(reach) + " points with this s, farther than " +
           std::to_string(recurrence::farthest) + ", half of a tile's warps";
}

/// Whether what `steps` steps lose beyond a row counts less than rounding.
template <class T, int steps>
std::string row_unavailable_reason(double s) {
    constexpr std::size_t row = marching::row<steps>, one = marching::row<1>;
    const double least = std::numeric_limits<T>::epsilon() / 8;
    if (static_cast<std::size_t>(reach_of<T>(s)) <= one && response_tail(s, steps, row) <= least) return {};
    return "A^-" + std::to_string(steps) + " reaches farther with this s than the " + std::to_string(row) +
           " points that a warp holds";
}

std::string no_host_cusparse(double) {
    return "cuSPARSE is a library for GPUs: the host executor cannot run it";
}

std::size_t no_scratch(std::size_t) {
    return 0;
}

template <class T>
void nothing_to_prepare(launch::Stream, double, std::size_t, T*) {}

std::optional<launch::KernelInfo> no_info() {
    return std::nullopt;
}

/// The CPU's own step in a device's place.
template <class T>
void solve_cpu(launch::Stream, double s, std::size_t m, T* f, T* x, T*) {
    cpu_openmp<T>({m, s}, {f, m}, {x, m}, omp_get_max_threads());
}

}  // namespace

#define GRIDMARK_DECLARE(NAME)                                          \
    template <class T>                                                  \
    void solve_##NAME(launch::Stream, double, std::size_t, T*, T*, T*); \
    template <class T>                                                  \
    std::optional<launch::KernelInfo> info_##NAME();

// clang-format off
#define GRIDMARK_SOLVERS                                                                             \
    {"gpu_cyclic_reduction", true, 1, always_available, no_scratch, nothing_to_prepare<T>,                \
     solve_cyclic_reduction<T>, nullptr, 1, info_cyclic_reduction<T>},                               \
    {"gpu_local_inverse", false, 1, reach_unavailable_reason<T>, no_scratch, nothing_to_prepare<T>,            \
     solve_local_inverse<T>, nullptr, 1, info_local_inverse<T>},                                     \
    {"gpu_marching", false, 1, row_unavailable_reason<T, 1>, no_scratch, nothing_to_prepare<T>,                \
     solve_marching<T>, nullptr, 1, info_marching<T>},                                               \
    {"gpu_marching_8", false, 1, row_unavailable_reason<T, 8>, no_scratch, nothing_to_prepare<T>,              \
     solve_marching<T>, solve_marching_8<T>, 8, info_marching_8<T>}
// clang-format on

namespace host {
GRIDMARK_DECLARE(cyclic_reduction)
GRIDMARK_DECLARE(local_inverse)
GRIDMARK_DECLARE(marching)
GRIDMARK_DECLARE(marching_8)
template <class T>
constexpr std::array<GpuVariant<T>, 6> table{
    {GRIDMARK_SOLVERS,
     {"gpu_cusparse", true, 4, no_host_cusparse, cusparse::scratch<T>, nothing_to_prepare<T>, nullptr,
      nullptr, 1, no_info},
     {"cpu_openmp", false, 1, always_available, no_scratch, nothing_to_prepare<T>, solve_cpu<T>, nullptr, 1,
      no_info}}};
template <class T>
std::span<const GpuVariant<T>> variants() {
    return table<T>;
}
}  // namespace host

#if GRIDMARK_HAS_CUDA
namespace cuda {
GRIDMARK_DECLARE(cyclic_reduction)
GRIDMARK_DECLARE(local_inverse)
GRIDMARK_DECLARE(marching)
GRIDMARK_DECLARE(marching_8)
template <class T>
constexpr std::array<GpuVariant<T>, 5> table{
    {GRIDMARK_SOLVERS,
     {"gpu_cusparse", true, 4, cusparse::unavailable_reason, cusparse::scratch<T>, cusparse::prepare<T>,
      cusparse::solve<T>, nullptr, 1, no_info}}};
template <class T>
std::span<const GpuVariant<T>> variants() {
    return table<T>;
}
}  // namespace cuda
#endif

GRIDMARK_DEFINE_GPU_VARIANTS

}  // namespace gridmark::pyramid
