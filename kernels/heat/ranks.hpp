#pragma once

#include <functional>
#include <memory>

#include "kernels/heat/problem.hpp"
#include "kernels/heat/start.hpp"
#include "kernels/launch/dispatch.hpp"
#include "kernels/ranks/part.hpp"

/// A rank's part of the tissue: steps of boxes of the grid. No rank owns the fixed layers. Each part stores
/// those that its points read, and nothing ever writes them.
namespace gridmark::heat {

/// What is cut among ranks: the interior, 0 <= i < n along every axis.
ranks::Box grid_box(const Problem& problem);

/// A step looks two points ahead and back along every axis.
ranks::Reach star_reach();

/// What a part stores that owns the box `own`: its points, the ghosts of so many steps, and of both the fixed
/// layers. In place of ranks::Stepping::stored_box, which ends where the interior does.
ranks::Box stored_box(const Problem& problem, const ranks::Box& own, int steps_per_exchange);

/// The start of interior point (i, j, k).
template <class T>
using StartFunction = std::function<StartPoint<T>(int i, int j, int k)>;

/// The part of the points `stored`, on the CPU in `threads` threads, with the vectorised rows of cpu_vector
/// for the widest instruction set. `start` is called by all threads at once. Throws std::invalid_argument
/// where a stored plane across z has 2^30 points or more, launch::OutOfMemory.
template <class T>
std::unique_ptr<ranks::Part<T>> cpu_part(const Problem& problem, const ranks::Box& stored,
                                         StartFunction<T> start, int threads);
/// The same of any size on a device, a GPU or the host executor. The device must outlive it.
template <class T>
std::unique_ptr<ranks::Part<T>> gpu_part(launch::Device& device, const Problem& problem,
                                         const ranks::Box& stored, StartFunction<T> start);

/// A step of the interior points of a box. `now` and `next` store the same points, `beta` the interior ones
/// among them.
template <class T>
struct BoxStep {
    Coefficients<T> coefficients;
    ranks::Field<T> now, beta, next;
    ranks::Box box;
};

GRIDMARK_BOTH_EXECUTORS(template <class T> void step_box(launch::Stream stream, const BoxStep<T>& step);)

}  // namespace gridmark::heat
