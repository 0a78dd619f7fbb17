#pragma once

#include "kernels/heat/gpu_common.cuh"
#include "kernels/launch/streaming.hpp"

/// Sixteen bytes of a row at once.
namespace gridmark::heat::GRIDMARK_EXECUTOR {

using launch::Vector;

/// Of an array that the launch does not write.
template <class T>
__device__ inline Vector<T> load_vector(const T* from) {
    return launch::load_constant(reinterpret_cast<const Vector<T>*>(from));
}

/// The points left and right of a vector, two on each side.
template <class T>
struct Sides {
    T m2, m1, p1, p2;
};

/// The new temperatures of a vector's points, of those below `count`; y and z hold the vectors beside it.
template <class T>
__device__ inline Vector<T> update_vector(const Coefficients<T>& k, const Vector<T>& centre,
                                          const Sides<T>& sides, const Axis<Vector<T>>& y,
                                          const Axis<Vector<T>>& z, const Vector<T>& beta, int count) {
    constexpr int width = Vector<T>::width;
    T row[2 + width + 2];
    row[0] = sides.m2, row[1] = sides.m1, row[width + 2] = sides.p1, row[width + 3] = sides.p2;
#pragma unroll
    for (int v = 0; v < width; ++v)
        row[v + 2] = centre.at[v];
    Vector<T> result{};
#pragma unroll
    for (int v = 0; v < width; ++v)
        if (v < count)
            result.at[v] = update(k, row[v + 2], {row[v], row[v + 1], row[v + 3], row[v + 4]},
                                  {y.m2.at[v], y.m1.at[v], y.p1.at[v], y.p2.at[v]},
                                  {z.m2.at[v], z.m1.at[v], z.p1.at[v], z.p2.at[v]}, beta.at[v]);
    return result;
}

/// How many points of the vector at x lie in the grid: none, some or all. Where rows are `whole` vectors the
/// compiler knows that it is all or none.
template <class T, bool whole>
__device__ inline int points_inside(int x, int nx) {
    constexpr int width = Vector<T>::width;
    return whole ? (x < nx ? width : 0) : min(max(nx - x, 0), width);
}

/// The first `count` values of a vector whose address is aligned only where rows are whole vectors, as beta's
/// is; nobody reads them again soon.
template <class T, bool whole>
__device__ inline Vector<T> load_points(const T* from, int count) {
    if constexpr (whole) {
        return launch::load_streaming(reinterpret_cast<const Vector<T>*>(from));
    } else {
        Vector<T> result{};
#pragma unroll
        for (int v = 0; v < Vector<T>::width; ++v)
            if (v < count) result.at[v] = launch::load_streaming(from + v);
        return result;
    }
}

/// Writes the first `count` values, and nothing else, to where a vector is aligned.
template <class T, bool whole>
__device__ inline void store_points(T* to, const Vector<T>& value, int count) {
    if constexpr (whole) {
        launch::store_streaming(reinterpret_cast<Vector<T>*>(to), value);
    } else {
#pragma unroll
        for (int v = 0; v < Vector<T>::width; ++v)
            if (v < count) launch::store_streaming(to + v, value.at[v]);
    }
}

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
