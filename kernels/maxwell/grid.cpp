#include "kernels/maxwell/grid.hpp"

#include <cmath>
#include <stdexcept>

namespace gridmark::maxwell {

Grid uniform_grid(int nx, int ny, int nz, double spacing) {
    Grid grid;
    const int n[3] = {nx, ny, nz};
    for (int axis = 0; axis < 3; ++axis)
        for (int i = 0; i < n[axis]; ++i)
            grid.nodes[axis].push_back(i * spacing);
    return grid;
}

void check_grid(const Grid& grid) {
    for (int axis = 0; axis < 3; ++axis) {
        const std::string name(1, "xyz"[axis]);
        const auto& nodes = grid.nodes[axis];
        if (nodes.size() < 2) throw std::invalid_argument(name + " has fewer than 2 nodes");
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const std::string at = name + "[" + std::to_string(i) + "]";
            if (!std::isfinite(nodes[i])) throw std::invalid_argument(at + " is not finite");
            // The inverse of the half distance must be finite, too.
            if (i > 0 && !(nodes[i] - nodes[i - 1] > 1e-30))
                throw std::invalid_argument(at + " is not greater than the node before it");
        }
    }
}

double half_distance(const std::vector<double>& nodes, int i) {
    const int last = static_cast<int>(nodes.size()) - 1;
    const double before = i > 0 ? nodes[i] - nodes[i - 1] : 0,
                 behind = i < last ? nodes[i + 1] - nodes[i] : 0;
    return (before + behind) / 2;
}

template <class T>
InverseSpacings<T> inverse_spacings(const std::vector<double>& nodes) {
    const int n = static_cast<int>(nodes.size());
    InverseSpacings<T> inverse{std::vector<T>(n), std::vector<T>(n)};
    for (int i = 0; i < n; ++i) {
        inverse.half[i] = static_cast<T>(1 / half_distance(nodes, i));
        if (i > 0) inverse.node[i] = static_cast<T>(1 / (nodes[i] - nodes[i - 1]));
    }
    return inverse;
}

template InverseSpacings<float> inverse_spacings(const std::vector<double>&);
template InverseSpacings<double> inverse_spacings(const std::vector<double>&);

}  // namespace gridmark::maxwell
