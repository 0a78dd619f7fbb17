#pragma once

#include "kernels/ginzburg_landau/problem.hpp"

namespace gridmark::ginzburg_landau {

// Inlined always: the files that are compiled for wider instruction sets must leave no instance behind that
// the baseline program could be given.
#define GRIDMARK_INLINE [[gnu::always_inline]] constexpr

/// One point's (u, v).
template <class T>
struct Pair {
    T u, v;
};

template <class T>
GRIDMARK_INLINE Pair<T> plus(const Pair<T>& y, T weight, const Pair<T>& k) {
    return {y.u + weight * k.u, y.v + weight * k.v};
}

/// The right-hand side at a point. At an end the missing neighbour is the point itself, which makes the
/// difference one-sided. Source: slides, listing ginzland. What needs no neighbour is summed first: where
/// nothing else hides the latency, the neighbours' values are waited for, and less remains to be done then.
template <class T>
GRIDMARK_INLINE Pair<T> rate(const Coefficients<T>& c, const Pair<T>& left, const Pair<T>& at,
                             const Pair<T>& right) {
    const T lu = left.u + right.u - (at.u + at.u), lv = left.v + right.v - (at.v + at.v);
    const T norm = at.u * at.u + at.v * at.v;
    return {at.u - norm * (at.u - c.b * at.v) + (c.d * lu + c.da * lv),
            at.v - norm * (c.b * at.u + at.v) + (c.d * lv - c.da * lu)};
}

#undef GRIDMARK_INLINE

}  // namespace gridmark::ginzburg_landau
