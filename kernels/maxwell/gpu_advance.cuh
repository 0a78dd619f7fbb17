#pragma once

#include "kernels/maxwell/gpu_materials.cuh"
#include "kernels/maxwell/gpu_rotation.cuh"
#include "kernels/maxwell/quotient.hpp"

/// A pack of a component a step later, in the slots that the scheme updates. Chosen, not branched to: so the
/// operations of all components cover each other's latency.
namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

/// How E is divided by its denominators: as it stands; by way of their reciprocals, which is inexact for
/// small dividends; or by way of them where that is exact.
enum class Division { plain, by_reciprocal, either };

/// `updates` says whether this row has the component at all. `is_exact` turns false where
/// Division::by_reciprocal is not.
template <int c, Division division, class T>
__device__ inline void advance_e(Pack<T>& e, const Pack<T>& rotation, const PackOfE<T>& material,
                                 bool updates, int z, int nz, T dct, bool& is_exact) {
    for (int i = 0; i < pack_width<T>; ++i) {
        const T over = material.denominator[c].at[i], by = material.reciprocal[c].at[i];
        const T dividend = e_dividend(e.at[i], rotation.at[i], material.eps[c].at[i], dct);
        T later;
        if constexpr (division == Division::plain) {
            later = dividend / over;
        } else if constexpr (division == Division::by_reciprocal) {
            later = quotient(dividend, over, by);
            is_exact = is_exact & (std::abs(dividend) >= least_dividend<T>);
        } else {
            later = any_quotient(dividend, over, by);
        }
        e.at[i] = updates && z + i >= first_e(c, along_z) && z + i < nz ? later : e.at[i];
    }
}

template <int c, class T>
__device__ inline void advance_h(Pack<T>& h, const Pack<T>& rotation, const PackOfH<T>& material,
                                 bool updates, int z, int nz) {
    for (int i = 0; i < pack_width<T>; ++i) {
        const T later = next_h_by(material.factor[c].at[i], h.at[i], rotation.at[i]);
        h.at[i] = updates && z + i >= first_h(c, along_z) && z + i < nz ? later : h.at[i];
    }
}

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
