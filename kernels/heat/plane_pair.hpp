#pragma once

#include <cstddef>

#include "kernels/heat/update.hpp"

namespace gridmark::heat {

/// Two neighbouring planes z and z + 1 of one time level, and what they are computed from. Every pointer is
/// to the first point of the first row; rows lie the given distances apart. Numbers only: files of several
/// instruction sets share it.
template <class T>
struct PlanePair {
    const T* now[6];   ///< planes z - 2 ... z + 3 of the level before
    const T* beta[2];  ///< beta, or beta dt / 12
    T* scaled[2];      ///< where beta dt / 12 is kept for the next levels; null: nowhere
    T* next[2];        ///< the new temperature
    std::ptrdiff_t now_row, beta_row, scaled_row, next_row;
    int first, last;   ///< the rows, as numbers in the grid; last excluded
    int count;         ///< points in a row
    bool is_given;     ///< `beta` is to be scaled
    bool is_streamed;  ///< `next` is aligned to 64 bytes and stored past the caches; the caller fences
};

/// What level 1 reads from memory is asked for so many rows ahead.
constexpr int rows_ahead = 2;

/// As many points from `begin` on as make whole Vs, of one row; returns the first that is left. Of its five
/// planes a point has four in common with the point above it: six loads for two points instead of ten.
template <class V, bool given, bool kept, bool streaming>
inline int update_pair_row(const Coefficients<V>& k, const PlanePair<typename V::Value>& p,
                           std::ptrdiff_t row, int begin) {
    using T = typename V::Value;
    const std::ptrdiff_t r = p.now_row;
    const T* now[6];
    for (int z = 0; z < 6; ++z)
        now[z] = p.now[z] + row * r;
    int i = begin;
    for (; i + V::width <= p.count; i += V::width) {
        if constexpr (given)
            for (int z = 0; z < 2; ++z) {
                V::prefetch(now[4 + z] + rows_ahead * r + i);
                V::prefetch(p.beta[z] + (row + rows_ahead) * p.beta_row + i);
            }
        V column[6];
#pragma GCC unroll 6
        for (int z = 0; z < 6; ++z)
            column[z] = V::load(now[z] + i);
#pragma GCC unroll 2
        for (int z = 0; z < 2; ++z) {
            V beta = V::load(p.beta[z] + row * p.beta_row + i);
            if constexpr (given) beta = beta * k.dt_12;
            if constexpr (kept) beta.store(p.scaled[z] + row * p.scaled_row + i);
            const T* const at = now[z + 2] + i;
            const V value = update_scaled(
                k, column[z + 2], {V::load(at - 2), V::load(at - 1), V::load(at + 1), V::load(at + 2)},
                {V::load(at - 2 * r), V::load(at - r), V::load(at + r), V::load(at + 2 * r)},
                {column[z], column[z + 1], column[z + 3], column[z + 4]}, beta);
            T* const to = p.next[z] + row * p.next_row + i;
            if constexpr (streaming)
                value.stream(to);
            else
                value.store(to);
        }
    }
    return i;
}

}  // namespace gridmark::heat
