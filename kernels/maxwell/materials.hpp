#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/maxwell/grid.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "kernels/storage.hpp"

/// From the materials of cells to what a half step takes at each node.
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

/// Throws std::invalid_argument where a cell's material is none of the body's, or a material's values cannot
/// be. They must be finite, eps and mu positive, sigma not negative.
void check_body(const Grid& grid, const Body& body);

/// Of Yee's limit: what the scheme with its boundary conditions allows, and what is taken unless asked
/// otherwise.
inline constexpr double stable_share = 0.65, default_share = 0.5;

/// The largest stable c dt of the scheme with its boundary conditions: 0.65 of Yee's limit for the smallest
/// cell and the fastest material. The lagged conditions lower the limit (0.66 grows; measured in the tests).
double stable_dct(const Grid& grid, const Body& body);

/// default_share of Yee's limit.
inline double default_dct(const Grid& grid, const Body& body) {
    return default_share / stable_share * stable_dct(grid, body);
}

/// eps, mu and sigma where each component lives, averaged once and weighted by the cells' sizes. E takes the
/// four cells around an edge, H the two at a face. Ghosts hold vacuum. Source: paper, section 2.
template <class T>
struct Coefficients {
    Layout layout;
    std::array<Storage<T>, 3> eps, mu, sigma;

    Planes<const T> planes(const std::array<Storage<T>, 3>& arrays) const {
        return {{arrays[0].data(), arrays[1].data(), arrays[2].data()}, 0};
    }
};

template <class T>
Coefficients<T> average(const Grid& grid, const Body& body, int threads);

/// Indices of the arrays: low[axis] <= i < high[axis] along x, y and z.
struct Indices {
    int low[3], high[3];
};
/// The nine arrays at some indices, in C order, z fastest.
template <class T>
struct Averages {
    std::array<Storage<T>, 3> eps, mu, sigma;
};

/// The values of average() at these indices alone, and vacuum beyond the grid.
template <class T>
Averages<T> average(const Grid& grid, const Body& body, const Indices& indices, int threads);

/// Coefficients in rows of another padding, which holds vacuum.
template <class T>
Coefficients<T> in_layout(const Coefficients<T>& coefficients, const Layout& layout, int threads);

/// What a version needs that looks up the materials of cells: see CellLookup.
template <class T>
struct CellMaterials {
    Layout layout;
    Storage<int> cell;
    std::vector<Layer<T>> layers;
    std::vector<T> before[3], behind[3];

    CellMaterials(const Grid& grid, const Body& body, const Layout& layout);
    CellLookup<T> lookup() const;
};

// The coefficients of a body of few materials in a byte a node instead of nine values. Averaging makes
// combinations of materials, but in a scene of boxes and layers only some dozens. So a byte tells which one a
// node has. A body of more combinations takes two bytes or four.

/// What E's half step takes of a node's coefficients, and what H's does: along x, y, z. Quotients and
/// denominators are as the scheme rounds them, so that whoever looks them up gets the bits of who computes
/// them. Aligned so that a GPU loads them in words of 16 bytes.
template <class T>
struct OfE {
    struct alignas(16) Component {
        T eps, denominator;
        T reciprocal;  ///< of the denominator: see quotient.hpp
    };
    Component component[3];
};
template <class T>
struct alignas(16) OfH {
    T factor[3];
};

template <class T>
struct MaterialIndex {
    /// Combinations that are looked for: the tables of more would be larger than most hosts' memory.
    static constexpr std::size_t most = std::size_t{1} << 24;

    Layout layout;
    int width;                     ///< bytes of a number: 1, 2 or 4, as few as can tell all combinations
    Storage<std::uint8_t> number;  ///< which combination, laid out as the fields are, `width` bytes each
    std::vector<OfE<T>> of_e;      ///< by number
    std::vector<OfH<T>> of_h;

    /// The number of slot i.
    std::size_t number_at(std::size_t i) const;
};

/// Throws launch::Unavailable if there are more combinations than MaterialIndex::most.
template <class T>
MaterialIndex<T> index_materials(const Coefficients<T>& coefficients, T dct);

/// Bytes that coefficients take on a device.
struct CoefficientSize {
    std::size_t per_node, tables;
};
template <class T>
constexpr std::size_t table_bytes(std::size_t combinations) {
    return combinations * (sizeof(OfE<T>) + sizeof(OfH<T>));
}
/// As arrays, or by the index of a byte that bodies of a few materials have, with the largest tables.
template <class T>
constexpr CoefficientSize usual_coefficients(bool by_index) {
    return {coefficient_bytes<T>(by_index), by_index ? table_bytes<T>(256) : 0};
}

}  // namespace gridmark::maxwell
