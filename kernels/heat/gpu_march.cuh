#pragma once

#include "kernels/heat/gpu_common.cuh"

/// The march that both kernels without shared memory make: 32 x 8 threads walk through 8 layers, each thread
/// up one column. The column's five values stay in registers and move on by one; the neighbours in x and y
/// come from the L1 cache, where the block's other threads have just put them. No barrier.
namespace gridmark::heat::GRIDMARK_EXECUTOR {

constexpr int march_x = 32, march_y = 8, march_z = 8;

/// Where a block stands along an axis: whether points two steps outside the grid may be asked for. `last` is
/// also what a grid of a single block is, so it looks both ways.
enum class Position { first, middle, last };

template <Position position>
struct At {
    static constexpr bool before = position != Position::middle, behind = position == Position::last;
};

/// A neighbour `offset` (-2 ... 2) away from point i of n: the boundary value where that lies outside.
template <class Position, int offset, class T>
__device__ inline T neighbour(const T* at, int stride, int i, int n, T boundary) {
    if (Position::before && offset < 0 && i + offset < 0) return boundary;
    if (Position::behind && offset > 0 && i + offset >= n) return boundary;
    return at[offset * stride];
}

template <class Position, class T>
__device__ inline Axis<T> axis(const T* at, int stride, int i, int n, T boundary) {
    return {neighbour<Position, -2>(at, stride, i, n, boundary),
            neighbour<Position, -1>(at, stride, i, n, boundary),
            neighbour<Position, 1>(at, stride, i, n, boundary),
            neighbour<Position, 2>(at, stride, i, n, boundary)};
}

/// The layers z0 ... z0 + 7 of column (x, y); X, Y, Z are At<...>.
template <class X, class Y, class Z, class T, class Beta>
__device__ inline void march(T* __restrict__ next, const T* __restrict__ now, const Beta& beta,
                             const Coefficients<T>& k, const Grid& g, T boundary, int x, int y, int z0) {
    const T* at = now + g.at(x, y, z0);
    T m2 = neighbour<Z, -2>(at, g.plane, z0, g.nz, boundary),
      m1 = neighbour<Z, -1>(at, g.plane, z0, g.nz, boundary), centre = *at,
      p1 = neighbour<Z, 1>(at, g.plane, z0, g.nz, boundary);
#pragma unroll
    for (int l = 0; l < march_z; ++l, at += g.plane) {
        const int z = z0 + l;
        if (z >= g.nz) return;
        const T p2 = neighbour<Z, 2>(at, g.plane, z, g.nz, boundary);
        next[g.at(x, y, z)] =
            update(k, centre, axis<X>(at, 1, x, g.nx, boundary), axis<Y>(at, g.row, y, g.ny, boundary),
                   {m2, m1, p1, p2}, beta.at(x, y, z));
        m2 = m1, m1 = centre, centre = p1, p1 = p2;
    }
}

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
