#pragma once

#include "kernels/ginzburg_landau/update.hpp"
#include "kernels/launch/demand.hpp"
#include "kernels/launch/kernel.hpp"

/// A point's stage, for the versions whose stage vectors lie in global memory: gpu_relaunch and
/// gpu_grid_barrier differ in how blocks meet between two stages, and in nothing else.
namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR {

/// From stage vector s: k = rate(s); sum = base + weight k, and unless it is the last stage, stage = now +
/// step k. `base` is the state in the first stage and the sum so far in the others; `sum` may be `base`.
template <class T, bool is_last>
__device__ inline void stage_point(int i, T* sum, T* stage, const T* base, const T* now, const T* s,
                                   const Coefficients<T>& c, T weight, T step, int n) {
    const int left = max(i - 1, 0), right = min(i + 1, n - 1);
    const Pair<T> k = rate(c, {s[left], s[n + left]}, {s[i], s[n + i]}, {s[right], s[n + right]});
    const Pair<T> total = plus({base[i], base[n + i]}, weight, k);
    sum[i] = total.u;
    sum[n + i] = total.v;
    if constexpr (!is_last) {
        const Pair<T> following = plus({now[i], now[n + i]}, step, k);
        stage[i] = following.u;
        stage[n + i] = following.v;
    }
}

}  // namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR
