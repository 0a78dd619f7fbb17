#include "experiments/maxwell/case.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "harness/cache.hpp"
#include "kernels/maxwell/cases.hpp"
#include "kernels/maxwell/reference.hpp"
#include "kernels/random.hpp"

namespace gridmark::maxwell {
namespace {

constexpr double wave_length = 17;

std::size_t plane_values(const Layout& layout) {
    return static_cast<std::size_t>(layout.rows()) * (layout.n[2] + 1);
}

/// Plane x of a component at the start, as a T holds it.
template <class T, class Stored>
void fill_start(const Case<T>& c, int component, int x, std::span<Stored> plane) {
    const auto values = static_cast<std::ptrdiff_t>(plane.size());
    const std::uint64_t first = (static_cast<std::uint64_t>(component) * (c.size.nx + 1) + x) * plane.size();
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < values; ++i)
        plane[i] = static_cast<T>(2 * unit_random(c.seed, first + static_cast<std::uint64_t>(i)) - 1);
}

template <class T, class Stored>
void set_start(const Case<T>& c, Solver<Stored>& solver) {
    std::vector<Stored> plane(plane_values(c.coefficients.layout));
    for (int component = 0; component < components; ++component)
        for (int x = 0; x <= c.size.nx; ++x) {
            fill_start<T, Stored>(c, component, x, plane);
            solver.set_plane(component, x, plane.data());
        }
}

/// Largest distance of two planes, infinite where one is not finite; and the largest value that was expected.
struct Compared {
    double error = 0, scale = 0;
};

template <class T>
Compared compared(const std::vector<T>& plane, const std::vector<double>& expected) {
    const auto values = static_cast<std::ptrdiff_t>(plane.size());
    double worst = 0, scale = 0;
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(max : worst, scale) reduction(&& : finite)
    for (std::ptrdiff_t i = 0; i < values; ++i) {
        const double apart = std::abs(static_cast<double>(plane[i]) - expected[i]);
        finite = finite && std::isfinite(apart);
        worst = std::max(worst, apart);
        scale = std::max(scale, std::abs(expected[i]));
    }
    return {finite ? worst : std::numeric_limits<double>::max(), scale};
}

}  // namespace

Body body_of(const Grid& grid, Scene scene, std::uint64_t seed) {
    return scene == Scene::random ? random_body_inside(grid, seed) : aircraft(grid);
}

template <class T>
Case<T>::Case(Size size, std::uint64_t seed, Scene scene, int steps)
    : size(size), seed(seed), scene(scene), steps(steps) {
    const Grid grid = grid_of(size);
    const Body body = body_of(grid, scene, seed);
    problem = {grid, default_dct(grid, body), {{1, 0.5}, 2 * 3.14159265358979 / wave_length, 0}};
    const int threads = omp_get_max_threads();
    coefficients = average<T>(grid, body, threads);
    const int few = std::min(steps, verified_steps);
    tolerance = rounding_bound<T>(problem, body, few, 1);
    exact = std::make_unique<Reference<double, T>>(problem, coefficients, threads);
    set_start(*this, *exact);
    exact->steps(few);
    if (steps <= verified_steps) return;
    auto in_t = std::make_unique<Reference<T>>(problem, coefficients, threads);
    set_start(*this, *in_t);
    in_t->steps(few);
    const auto held =
        compare<T>(*this, [&](int component, int x, T* plane) { in_t->get_plane(component, x, plane); });
    if (!held.passed())
        throw std::runtime_error("the reference in the variants' precision is wrong: error " +
                                 std::to_string(held.error) + " after " + std::to_string(few) + " steps");
    in_t->steps(steps - few);
    exact.reset();
    same = std::move(in_t);
    tolerance = 0;
}

template <class T>
void Case<T>::expected_plane(int component, int x, std::span<double> plane) const {
    if (exact != nullptr) return exact->get_plane(component, x, plane.data());
    std::vector<T> values(plane.size());
    same->get_plane(component, x, values.data());
    std::copy(values.begin(), values.end(), plane.begin());
}

template <class T>
double case_bytes(Size size) {
    const double slots = static_cast<double>(make_layout<T>(grid_of(size)).size());
    return slots * (9 * sizeof(T) + 6 * (sizeof(double) + sizeof(T)) + sizeof(std::uint16_t));
}

template <class T>
std::shared_ptr<const Case<T>> shared_case(Size size, std::uint64_t seed, Scene scene, int steps) {
    // Never destroyed: when the program ends the device may be gone, and what cases keep on it with it.
    static auto& cases = *new harness::Cache<Case<T>>;
    return cases.get(
        [&](const Case<T>& c) {
            return c.size == size && c.seed == seed && c.scene == scene && c.steps == steps;
        },
        case_bytes<T>(size), [&] { return std::make_shared<const Case<T>>(size, seed, scene, steps); });
}

template <class T>
void start_plane(const Case<T>& c, int component, int x, std::span<T> plane) {
    fill_start<T, T>(c, component, x, plane);
}

template <class T>
harness::Verification compare(const Case<T>& c,
                              const std::function<void(int component, int x, T* plane)>& get) {
    std::vector<T> plane(plane_values(c.coefficients.layout));
    std::vector<double> expected(plane.size());
    Compared all;
    for (int component = 0; component < components; ++component)
        for (int x = 0; x <= c.size.nx; ++x) {
            get(component, x, plane.data());
            c.expected_plane(component, x, expected);
            const auto [error, scale] = compared(plane, expected);
            all = {std::max(all.error, error), std::max(all.scale, scale)};
        }
    const bool in_double = c.exact != nullptr;
    return {in_double ? "reference in double, all values of six fields"
                      : "reference in the same precision, all bits of six fields",
            all.error, c.tolerance, in_double ? std::min(c.steps, verified_steps) : c.steps, all.scale};
}

template <class T>
harness::Verification verify(const Case<T>& c, Solver<T>& solver) {
    set_start(c, solver);
    solver.steps(c.steps);
    return compare<T>(c, [&](int component, int x, T* plane) { solver.get_plane(component, x, plane); });
}

#define GRIDMARK_INSTANTIATE(T)                                                                       \
    template struct Case<T>;                                                                          \
    template double case_bytes<T>(Size);                                                              \
    template std::shared_ptr<const Case<T>> shared_case<T>(Size, std::uint64_t, Scene, int);          \
    template void start_plane(const Case<T>&, int, int, std::span<T>);                                \
    template harness::Verification compare(const Case<T>&, const std::function<void(int, int, T*)>&); \
    template harness::Verification verify(const Case<T>&, Solver<T>&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::maxwell
