#pragma once

#include <cstddef>
#include <string>

#include "kernels/launch/device.hpp"
#include "kernels/pyramid/gpu.hpp"

/// NVIDIA's own solver beside ours: cuSPARSE's gtsv2_nopivot, a mix of cyclic reduction and its parallel kind
/// for any three diagonals. The library is looked for while the program runs.
namespace gridmark::pyramid::cusparse {

/// Why it cannot be used; empty if it can.
std::string unavailable_reason(double s);

/// The functions of a GpuVariant<T>; solve is in place. Scratch is the three diagonals and the buffer that
/// cuSPARSE 12 asks for, 4 m values and some, so that it is known without a GPU; prepare checks it.
template <class T>
std::size_t scratch(std::size_t m) {
    return 3 * aligned<T>(m) + 4 * m + (std::size_t{1} << 16);
}
template <class T>
void prepare(launch::Stream stream, double s, std::size_t m, T* scratch);
template <class T>
void solve(launch::Stream stream, double s, std::size_t m, T* f, T* x, T* scratch);

}  // namespace gridmark::pyramid::cusparse
