#pragma once

#include "kernels/launch/kernel.hpp"
#include "kernels/launch/streaming.hpp"

/// How a kernel that solves by recurrences sees the rod: in vectors, and beyond its ends.
namespace gridmark::pyramid::GRIDMARK_EXECUTOR {

using launch::Vector;

/// f at i, which may lie outside 0 ... m - 1: odd about the zeros at -1 and m, however often.
template <class T>
__device__ inline T extended(const T* __restrict__ f, long long i, long long m) {
    T sign = 1;
    while (i < 0 || i >= m) {
        if (i == -1 || i == m) return 0;
        i = i < 0 ? -2 - i : 2 * m - i;
        sign = -sign;
    }
    return sign * f[i];
}

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
