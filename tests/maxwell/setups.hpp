#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "kernels/maxwell/cases.hpp"
#include "kernels/maxwell/reference.hpp"
#include "kernels/random.hpp"

/// Grids, fields and comparisons that the tests share.
namespace gridmark::maxwell_tests {

using namespace maxwell;  // NOLINT(google-build-using-namespace): the tests are about it

/// Spacings at random from 0.7 to 1.3.
inline Grid uneven_grid(int nx, int ny, int nz, std::uint64_t seed = 3) {
    Grid grid = uniform_grid(nx, ny, nz);
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 1; i < grid.n(axis); ++i)
            grid.nodes[axis][i] =
                grid.nodes[axis][i - 1] + 0.7 + 0.6 * unit_random(seed + axis, static_cast<std::uint64_t>(i));
    return grid;
}

/// Both polarisations, endless.
inline Source both_ways(double wave_length) {
    return {{1, 0.6}, 2 * 3.14159265358979 / wave_length, 0};
}

inline std::size_t plane_values(const Grid& grid) {
    return static_cast<std::size_t>(grid.n(1) + 1) * (grid.n(2) + 1);
}

/// All six components, ghosts as well, at random between -1 and 1.
template <class T>
void set_random(Solver<T>& solver, const Grid& grid, std::uint64_t seed) {
    std::vector<T> plane(plane_values(grid));
    std::uint64_t index = 0;
    for (int component = 0; component < components; ++component)
        for (int x = 0; x <= grid.n(0); ++x) {
            for (T& value : plane)
                value = static_cast<T>(2 * unit_random(seed, index++) - 1);
            solver.set_plane(component, x, plane.data());
        }
}

/// All values of all components.
template <class T>
std::vector<T> all_values(Solver<T>& solver, const Grid& grid) {
    const std::size_t plane = plane_values(grid);
    std::vector<T> values(plane * (grid.n(0) + 1) * components);
    T* to = values.data();
    for (int component = 0; component < components; ++component)
        for (int x = 0; x <= grid.n(0); ++x, to += plane)
            solver.get_plane(component, x, to);
    return values;
}

/// Values that are not the same bits; -0 and 0 count as the same, NaN never does.
template <class T>
std::size_t differences(const std::vector<T>& a, const std::vector<T>& b) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < a.size(); ++i)
        count += !(a[i] == b[i]);
    return count;
}

}  // namespace gridmark::maxwell_tests
