#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <typeindex>

#include "harness/points.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/reference.hpp"

namespace gridmark::maxwell {

/// What fills a case's grid: cells of 16 materials at random within a shell of vacuum, or a scene of two, as
/// whoever takes coefficients by a byte needs it.
enum class Scene { random, aircraft };
Body body_of(const Grid& grid, Scene scene, std::uint64_t seed);
template <class T>
Scene scene_of(const GpuVariant<T>& variant) {
    return variant.by_index ? Scene::aircraft : Scene::random;
}

/// Steps after which versions are compared, if not more.
inline constexpr int verified_steps = 3;

using Size = harness::GridSize;
inline Grid grid_of(Size size) {
    return uniform_grid(size.nx, size.ny, size.nz);
}

/// A grid with a body, a wave of both polarisations, random fields to start from, and a reference some
/// steps later. Made once and shared by all versions of that size, scene and steps.
///
/// Up to verified_steps the reference computes in double, and the tolerance is what rounding can do. That
/// bound doubles with every step, so that after more steps it would guard nothing. Then the reference
/// computes in T and every bit must agree: no version fuses or reorders an operation. That reference is
/// itself held to the one in double after verified_steps.
template <class T>
struct Case {
    Size size;
    std::uint64_t seed;
    Scene scene;
    int steps;
    Problem problem;
    Coefficients<T> coefficients;
    double tolerance;
    std::unique_ptr<Reference<double, T>> exact;                          ///< up to verified_steps
    std::unique_ptr<Reference<T>> same;                                   ///< after more
    mutable std::map<std::type_index, std::shared_ptr<const void>> kept;  ///< by kept_with

    /// Throws std::runtime_error where the reference in T is wrong.
    Case(Size size, std::uint64_t seed, Scene scene, int steps);
    /// Plane x of a component after the steps.
    void expected_plane(int component, int x, std::span<double> plane) const;
};

/// Bytes of host memory that a case takes.
template <class T>
double case_bytes(Size size);

/// The case of that size. A run comes back to each size for every clock: those asked for last are kept as
/// long as memory is plenty.
template <class T>
std::shared_ptr<const Case<T>> shared_case(Size size, std::uint64_t seed, Scene scene = Scene::random,
                                           int steps = verified_steps);

/// Plane x of a component at the start: (ny + 1) (nz + 1) values, z fastest.
template <class T>
void start_plane(const Case<T>& c, int component, int x, std::span<T> plane);

/// Compares every value of all six components, ghosts as well, with the reference; `get` gives a plane of a
/// component after the case's steps.
template <class T>
harness::Verification compare(const Case<T>& c,
                              const std::function<void(int component, int x, T* plane)>& get);

/// Starts a version, fresh from its making, from the case's fields, runs the few steps and compares.
template <class T>
harness::Verification verify(const Case<T>& c, Solver<T>& solver);

}  // namespace gridmark::maxwell
