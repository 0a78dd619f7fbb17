#pragma once

#include <cstdint>
#include <memory>

#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/dispatch.hpp"
#include "kernels/ranks/part.hpp"

/// A rank's part of the channel: sweeps over boxes of the grid, one point deep along axis 2.
namespace gridmark::jacobi {

/// All points of the grid.
ranks::Box grid_box(const Problem& problem);

/// A sweep looks one point ahead along both axes; the outflow looks one back, and nobody past a fixed point.
ranks::Reach sweep_reach();

/// The part of the points `stored`, which start as initial_psi and random_omega say. On the CPU, in
/// `threads` threads, with cpu_openmp's inner loops.
template <class T>
std::unique_ptr<ranks::Part<T>> cpu_part(const Problem& problem, const ranks::Box& stored, std::uint64_t seed,
                                         int threads);
/// The same on a device, a GPU or the host executor.
template <class T>
std::unique_ptr<ranks::Part<T>> gpu_part(launch::Device& device, const Problem& problem,
                                         const ranks::Box& stored, std::uint64_t seed);

/// A sweep of the points of a box.
template <class T>
struct BoxSweep {
    Problem problem;
    Coefficients<T> coefficients;
    ranks::Field<T> psi, omega, next;
    ranks::Box box;
};

GRIDMARK_BOTH_EXECUTORS(template <class T> void sweep_box(launch::Stream stream, const BoxSweep<T>& sweep);)

}  // namespace gridmark::jacobi
