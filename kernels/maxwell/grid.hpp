#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

/// The grid, and how the arrays on it lie in memory.
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

// How the arrays of all versions lie in memory. Each is [nx + 1][ny + 1][nz + 1], z fastest. A component that
// is staggered along an axis has its value between nodes i - 1 and i at index i. Indices 0 and n are ghosts.
// Source: paper, section 3 (rows padded, one index macro for all).

/// Rows are padded to multiples of this many bytes, and start there.
inline constexpr int row_alignment = 128;

struct Layout {
    int n[3];   ///< nodes along x, y, z
    int pitch;  ///< values from a row to the next

    constexpr int planes() const { return n[0] + 1; }
    constexpr int rows() const { return n[1] + 1; }
    /// Values from a plane to the next.
    constexpr std::size_t plane() const { return static_cast<std::size_t>(rows()) * pitch; }
    constexpr std::size_t size() const { return plane() * planes(); }
};

/// Rows that follow each other without padding.
inline constexpr int unaligned = 1;

template <class T>
Layout make_layout(const Grid& grid, int alignment = row_alignment) {
    const int word = sizeof(T), unit = alignment > word ? alignment / word : 1;
    return {{grid.n(0), grid.n(1), grid.n(2)}, (grid.n(2) + unit) / unit * unit};
}

/// Planes first ... last - 1 of all arrays.
struct Slab {
    int first, last;

    constexpr int depth() const { return last - first; }
};

/// One array for each direction, of the same planes: plane `from` of each stands first.
template <class T>
struct Planes {
    T* data[3] = {};
    int from = 0;

    constexpr T* row(const Layout& layout, int c, int x, int y) const {
        return data[c] + (static_cast<std::size_t>(x - from) * layout.rows() + y) * layout.pitch;
    }
};

template <class T>
struct Layer {
    T eps, mu, sigma;
};
template <class T>
struct OfEdge {
    T eps, sigma;
};

/// The materials of the cells themselves, for a version that averages them anew in every step. Cells lie as
/// the fields do: at an index the cell between that node and the one before it, along every axis. At 0 and n
/// the cell inside stands again. On the host or on a device; the sums are those of average().
template <class T>
struct CellLookup {
    Layout layout;
    const int* cell;                 ///< numbers of layers
    const Layer<T>* layers;          ///< by number
    const T *before[3], *behind[3];  ///< at a node: shares of the cells on both sides along an axis

    /// What component c of E takes: of the four cells around its edge.
    template <int c>
    constexpr OfEdge<T> of_e(int x, int y, int z) const {
        constexpr int a = (c + 1) % 3, b = (c + 2) % 3;
        const int at[3] = {x, y, z};
        const std::size_t i = index(x, y, z);
        const T a0 = before[a][at[a]], a1 = behind[a][at[a]], b0 = before[b][at[b]], b1 = behind[b][at[b]];
        const Layer<T>&m00 = layers[cell[i]], &m10 = layers[cell[i + stride(a)]],
              &m01 = layers[cell[i + stride(b)]], &m11 = layers[cell[i + stride(a) + stride(b)]];
        return edge(a0 * b0, a1 * b0, a0 * b1, a1 * b1, m00, m10, m01, m11);
    }
    /// mu of component c of H: of the two cells at its face.
    template <int c>
    constexpr T of_h(int x, int y, int z) const {
        const int at[3] = {x, y, z};
        const std::size_t i = index(x, y, z);
        return before[c][at[c]] * layers[cell[i]].mu + behind[c][at[c]] * layers[cell[i + stride(c)]].mu;
    }

    static constexpr OfEdge<T> edge(T s00, T s10, T s01, T s11, const Layer<T>& m00, const Layer<T>& m10,
                                    const Layer<T>& m01, const Layer<T>& m11) {
        return {s00 * m00.eps + s10 * m10.eps + s01 * m01.eps + s11 * m11.eps,
                s00 * m00.sigma + s10 * m10.sigma + s01 * m01.sigma + s11 * m11.sigma};
    }

  private:
    constexpr std::size_t index(int x, int y, int z) const {
        return (static_cast<std::size_t>(x) * layout.rows() + y) * layout.pitch + z;
    }
    constexpr std::size_t stride(int axis) const {
        return axis == 0 ? layout.plane() : axis == 1 ? static_cast<std::size_t>(layout.pitch) : 1;
    }
};

/// All that a half step reads and writes, on the host or on a device.
template <class T>
struct Arrays {
    Layout layout;
    Planes<T> e, h;
    Planes<const T> eps, sigma, mu;
    const T *half[3], *node[3];  ///< inverse spacings
    T dct;                       ///< c dt
    CellLookup<T> cells;         ///< null where the coefficients come otherwise
};

}  // namespace gridmark::maxwell
