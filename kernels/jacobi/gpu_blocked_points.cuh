#pragma once

#include <cmath>

#include "kernels/jacobi/problem.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/launch/streaming.hpp"

/// The points of gpu_blocked.cu, which all do the same four operations: a point's new value is
///
///     along (west + east) + across (north + south) + source
///
/// with the weights a and b and the source c omega inside; 1, 0 and nothing on the outflow, whose east is
/// beyond the grid and zero; 0, 0 and its own value where it is fixed.
///
/// Weights come in three ways, one for each of Inside, Alike and Mixed: the same for all of a warp's points,
/// the same for all rows that are under way, and by the row.
namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace blocked {

using launch::Vector;  // a lane's points of a row

template <class T>
struct Weights {
    Vector<T> along, across;
};

/// Rows by what is fixed in them: the left edge, the body besides, everything.
enum class RowKind { open, body, wall };

/// Of which kind rows are, for strips that come by the body or do not.
struct Rows {
    int ny, first, last;  ///< last < first: there is no body

    __device__ Rows(const Body& body, bool by_body, int ny)
        : ny(ny), first(by_body ? body.y1 : ny), last(by_body ? body.y2 : -1) {}
    __device__ RowKind kind(int j) const {
        if (j <= 0 || j >= ny - 1) return RowKind::wall;
        return j >= first && j <= last ? RowKind::body : RowKind::open;
    }
    /// Whether the rows from `low` to `high` are of one kind and no walls.
    __device__ bool alike(int low, int high) const {
        return low > 0 && high < ny - 1 && (high < first || low > last || (low >= first && high <= last));
    }
};

/// A lane's columns, of which the first is x.
template <class T>
struct Columns {
    static constexpr int width = Vector<T>::width;
    Coefficients<T> k;
    int outflow;                ///< which one is the outflow, if one of them is
    RowKind fixed_from[width];  ///< a point is fixed in rows of this kind and of those after it

    __device__ Columns(const Coefficients<T>& k, const Body& body, int x, int nx)
        : k(k), outflow(nx - 1 - x) {
#pragma unroll
        for (int v = 0; v < width; ++v) {
            const int i = x + v;
            const bool body_column = i >= body.x1 && i <= body.x2;
            fixed_from[v] = i <= 0 || i >= nx ? RowKind::open : body_column ? RowKind::body : RowKind::wall;
        }
    }
    __device__ bool fixed(int v, RowKind kind) const {
        return kind >= fixed_from[v];
    }

    __device__ Weights<T> weights(RowKind kind) const {
        Weights<T> result;
#pragma unroll
        for (int v = 0; v < width; ++v) {
            result.along.at[v] = fixed(v, kind) ? T{0} : v == outflow ? T{1} : k.a;
            result.across.at[v] = fixed(v, kind) || v == outflow ? T{0} : k.b;
        }
        return result;
    }
    __device__ Vector<T> source(RowKind kind, const Vector<T>& omega, const Vector<T>& psi) const {
        Vector<T> result;
#pragma unroll
        for (int v = 0; v < width; ++v)
            result.at[v] = fixed(v, kind) ? psi.at[v] : v == outflow ? T{0} : k.c * omega.at[v];
        return result;
    }
};

/// Points of which none is fixed and none the outflow.
template <class T>
struct Inside {
    Coefficients<T> k;

    __device__ Weights<T> weights(int) const {
        Weights<T> result;
#pragma unroll
        for (int v = 0; v < Vector<T>::width; ++v) {
            result.along.at[v] = k.a;
            result.across.at[v] = k.b;
        }
        return result;
    }
    __device__ Vector<T> source(int, const Vector<T>& omega, const Vector<T>&) const {
        Vector<T> result;
#pragma unroll
        for (int v = 0; v < Vector<T>::width; ++v)
            result.at[v] = k.c * omega.at[v];
        return result;
    }
};

/// Points of rows that are all of one kind.
template <class T>
struct Alike {
    const Columns<T>& columns;
    RowKind kind;
    Weights<T> current;

    __device__ explicit Alike(const Columns<T>& columns, RowKind kind)
        : columns(columns), kind(kind), current(columns.weights(kind)) {}
    __device__ const Weights<T>& weights(int) const { return current; }
    __device__ Vector<T> source(int, const Vector<T>& omega, const Vector<T>& psi) const {
        return columns.source(kind, omega, psi);
    }
};

/// Points of rows that are of several kinds.
template <class T>
struct Mixed {
    const Columns<T>& columns;
    const Rows& rows;

    __device__ Weights<T> weights(int row) const { return columns.weights(rows.kind(row)); }
    __device__ Vector<T> source(int row, const Vector<T>& omega, const Vector<T>& psi) const {
        return columns.source(rows.kind(row), omega, psi);
    }
};

}  // namespace blocked
}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
