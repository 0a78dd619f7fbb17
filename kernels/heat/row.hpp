#pragma once

#include "kernels/heat/update.hpp"

/// A row of points as a template over what is computed at once: a vector, a number, or, in a test, a type
/// that counts its operations.
namespace gridmark::heat {

/// The neighbours of the V::width points at `at`, along an axis of that stride.
template <class V>
inline Axis<V> neighbours_of(const typename V::Value* at, int stride) {
    return {V::load(at - 2 * stride), V::load(at - stride), V::load(at + stride), V::load(at + 2 * stride)};
}

/// As many of next[begin ... count) as make whole Vs; returns the first index that is left. See cpu_row.hpp.
template <class V, bool streaming>
inline int update_row(const Coefficients<V>& k, const typename V::Value* now, const typename V::Value* beta,
                      typename V::Value* next, int row, int plane, int begin, int count) {
    int i = begin;
    for (; i + V::width <= count; i += V::width) {
        const auto* const at = now + i;
        const V value = update(k, V::load(at), neighbours_of<V>(at, 1), neighbours_of<V>(at, row),
                               neighbours_of<V>(at, plane), V::load(beta + i));
        if constexpr (streaming)
            value.stream(next + i);
        else
            value.store(next + i);
    }
    return i;
}

}  // namespace gridmark::heat
