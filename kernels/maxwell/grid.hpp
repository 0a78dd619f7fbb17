#pragma once

#include <array>
#include <string>
#include <vector>

namespace gridmark::maxwell {

/// Positions of the nodes along x, y and z, in any unit of length.
struct Grid {
    std::array<std::vector<double>, 3> nodes;

    int n(int axis) const { return static_cast<int>(nodes[axis].size()); }
    double cell(int axis, int i) const { return nodes[axis][i + 1] - nodes[axis][i]; }
    /// Nodes in all, the cells of "cells per second": each has one value of every component.
    double points() const { return 1.0 * n(0) * n(1) * n(2); }
};

/// Nodes 0, spacing, 2 spacing ... along every axis.
Grid uniform_grid(int nx, int ny, int nz, double spacing = 1);

/// Throws std::invalid_argument, naming the axis, unless each has 2 nodes or more, finite and increasing.
void check_grid(const Grid& grid);

/// What the differences along an axis of n nodes are multiplied with.
template <class T>
struct InverseSpacings {
    std::vector<T> half;  ///< [i], 0 <= i < n: 1 / distance between the half points on both sides of node i;
                          ///< at the ends that of half a cell
    std::vector<T> node;  ///< [i], 1 <= i < n: 1 / distance between nodes i - 1 and i; [0] is not used
};

template <class T>
InverseSpacings<T> inverse_spacings(const std::vector<double>& nodes);

/// Distance of the half points around node i; half a cell at both ends. Source: paper, delta_i.
double half_distance(const std::vector<double>& nodes, int i);

}  // namespace gridmark::maxwell
