#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "kernels/launch/dispatch.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "kernels/maxwell/solver.hpp"
#include "kernels/ranks/part.hpp"

/// A rank's part of the scattering problem: both half steps on boxes of indices, in place, with the bits of
/// the whole grid's versions. Stage 0 adds the current and advances E from H. Stage 1 advances H from E, and
/// sets those ghosts of H that the box holds from E and the incident wave.
///
/// A box is one of indices of the arrays: 0 ... n along each axis for n nodes, the ghosts at 0 and n among
/// them. It holds all six components. kernels/ranks numbers axes from the fastest in memory on: axis 0 of a
/// box is this study's z, 1 is y and 2 is x.
namespace gridmark::maxwell {

/// All indices of the grid's arrays.
ranks::Box grid_box(const Grid& grid);

/// How far a stage looks: E reads H one further along each axis, H reads E one back, and a ghost behind the
/// last node reads E there.
ranks::Reach stage_reach(int stage);
/// Both together.
ranks::Reach step_reach();

/// A component's value at an index (x, y, z) at the start.
using StartValue = std::function<double(int component, int x, int y, int z)>;

/// The part of the indices `stored`, on the CPU in `threads` threads with cpu_openmp's inner loops. The
/// state's components are Ex Ey Ez Hx Hy Hz. It starts with `start`, which all threads call at once, or with
/// zeros if that is null; then the wave comes in. Every rank holds the whole grid's body, 2 bytes a cell,
/// until its part has averaged the coefficients of its own indices. Throws launch::OutOfMemory.
template <class T>
std::unique_ptr<ranks::Part<T>> cpu_part(const Problem& problem, const Body& body, const ranks::Box& stored,
                                         int threads, const StartValue& start = nullptr);
/// The same on a device, a GPU or the host executor, which must outlive it. The incident wave advances there
/// as well.
template <class T>
std::unique_ptr<ranks::Part<T>> gpu_part(launch::Device& device, const Problem& problem, const Body& body,
                                         const ranks::Box& stored, const StartValue& start = nullptr);

/// What a stage on a box reads and writes, on the host or on a device. Fields and coefficients are of the
/// indices `stored`, z fastest; spacings and wave of the whole grid.
template <class T>
struct BoxStep {
    ranks::Box box, stored;
    int n[3];  ///< nodes along x, y, z
    T *e[3], *h[3];
    const T *eps[3], *sigma[3], *mu[3];
    const T *half[3], *node[3];  ///< inverse spacings
    T dct;
    const Drive* drive;  ///< of this step in stage 0
    Wave<T> wave;        ///< after this step in stage 1

    /// From a value to the one that lies one further along an axis.
    constexpr std::ptrdiff_t stride(int axis) const {
        const std::ptrdiff_t row = stored.high[0] - stored.low[0];
        return axis == 2 ? 1 : axis == 1 ? row : row * (stored.high[1] - stored.low[1]);
    }
    constexpr std::ptrdiff_t offset(const int (&at)[3]) const {
        return (at[0] - stored.low[2]) * stride(0) + (at[1] - stored.low[1]) * stride(1) + at[2] -
               stored.low[0];
    }
};

/// The axis across which component c of H has a ghost at an index; -1 if it has none there. A ghost of c
/// comes from E along the third axis, which has no value before its first node.
constexpr int ghost_axis(const int (&n)[3], int c, const int (&at)[3]) {
    const auto is_across = [&](int axis, int third) {
        return (at[axis] == 0 || at[axis] == n[axis]) && at[c] < n[c] && at[third] > 0 &&
               at[third] < n[third];
    };
    return is_across(next(c), before(c)) ? next(c) : is_across(before(c), next(c)) ? before(c) : -1;
}

/// The ghost of component c of H across that axis.
template <class T>
constexpr T ghost_at(const BoxStep<T>& s, int c, int axis, const int (&at)[3]) {
    const bool high = at[axis] > 0;
    const int third = 3 - c - axis;
    const T e = s.e[third][s.offset(at) - (high ? s.stride(axis) : 0)];
    const TwoGhosts<T> both = face_ghosts(axis, high ? T(1) : T(-1), e, e, s.wave, at[2]);
    return c < third ? both.first : both.second;
}

// clang-format off
GRIDMARK_BOTH_EXECUTORS(
    /// Stage 0 and stage 1 of a box.
    template <class T> void advance_e_box(launch::Stream stream, const BoxStep<T>& step);
    template <class T> void advance_h_box(launch::Stream stream, const BoxStep<T>& step);)
// clang-format on

}  // namespace gridmark::maxwell
