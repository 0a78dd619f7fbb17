#pragma once

#include <cstdint>
#include <vector>

#include "kernels/maxwell/grid.hpp"

namespace gridmark::maxwell {

/// A material. sigma is 4 pi sigma / c, per unit of length.
struct Material {
    double eps = 1, mu = 1, sigma = 0;
};

/// What fills the cells between the nodes: (nx - 1)(ny - 1)(nz - 1) numbers of materials, z fastest.
struct Body {
    std::vector<std::uint16_t> cells;
    std::vector<Material> materials;

    std::size_t index(const Grid& grid, int x, int y, int z) const {
        return (static_cast<std::size_t>(x) * (grid.n(1) - 1) + y) * (grid.n(2) - 1) + z;
    }
};

/// Throws std::invalid_argument where a cell's material is none of the body's, or a material cannot be: eps
/// and mu must be positive and finite, sigma finite and not negative.
void check_body(const Grid& grid, const Body& body);

/// Of Yee's limit: what the scheme with its boundary conditions allows, and what is taken unless asked
/// otherwise.
inline constexpr double stable_share = 0.65, default_share = 0.5;

/// The largest c dt at which the scheme with its boundary conditions is stable: 0.65 of Yee's limit for the
/// smallest cell and the fastest material. The lagged conditions lower the limit (0.66 grows; measured in the
/// tests).
double stable_dct(const Grid& grid, const Body& body);

/// default_share of Yee's limit.
inline double default_dct(const Grid& grid, const Body& body) {
    return default_share / stable_share * stable_dct(grid, body);
}

}  // namespace gridmark::maxwell
