#pragma once

#include <type_traits>

#include "kernels/launch/kernel.hpp"
#include "kernels/launch/prefetch.hpp"
#include "kernels/launch/streaming.hpp"
#include "kernels/maxwell/gpu_pack.cuh"
#include "kernels/maxwell/quotient.hpp"
#include "kernels/maxwell/scheme.hpp"
#include "kernels/maxwell/whole_step.hpp"

/// Two ways for a whole step to come by the coefficients. Both load a pack's values early, E's and H's apart,
/// and compute what the formulas take only when it is needed.
namespace gridmark::maxwell::GRIDMARK_EXECUTOR {

template <class T>
struct PackOfE {
    Pack<T> eps[3], denominator[3];
    // If they come by index:
    Pack<T> reciprocal[3];        ///< of the denominators
    bool has_reciprocals = true;  ///< and none of them is 0
};
template <class T>
struct PackOfH {
    Pack<T> factor[3];
};

/// From the nine arrays: 36 bytes a node in float.
template <class T>
struct FromArrays {
    struct LoadedE {
        Pack<T> eps[3], sigma[3];
    };
    struct LoadedH {
        Pack<T> mu[3];
    };
    static constexpr bool is_small = false, by_reciprocal = false;
    static constexpr int most_threads = 512, most_planes = 32;
    static std::size_t shared_bytes(const Indexed<T>&) { return 0; }

    __device__ FromArrays(const WholeStep<T>& step, void*) : arrays_(step.now) {}

    __device__ LoadedE load_e(unsigned at) const {
        LoadedE loaded;
        for (int c = 0; c < 3; ++c) {
            loaded.eps[c] = load_once(arrays_.eps.data[c] + at);
            loaded.sigma[c] = load_once(arrays_.sigma.data[c] + at);
        }
        return loaded;
    }
    __device__ LoadedH load_h(unsigned at) const {
        LoadedH loaded;
        for (int c = 0; c < 3; ++c)
            loaded.mu[c] = load_once(arrays_.mu.data[c] + at);
        return loaded;
    }
    __device__ PackOfE<T> of_e(const LoadedE& loaded, const LoadedH&) const {
        PackOfE<T> result;
        for (int c = 0; c < 3; ++c)
            for (int i = 0; i < pack_width<T>; ++i) {
                result.eps[c].at[i] = loaded.eps[c].at[i];
                result.denominator[c].at[i] =
                    e_denominator(loaded.eps[c].at[i], loaded.sigma[c].at[i], arrays_.dct);
            }
        return result;
    }
    __device__ PackOfH<T> of_h(const LoadedH& loaded) const {
        PackOfH<T> result;
        for (int c = 0; c < 3; ++c)
            for (int i = 0; i < pack_width<T>; ++i)
                result.factor[c].at[i] = h_factor(loaded.mu[c].at[i], arrays_.dct);
        return result;
    }

  private:
    __device__ static Pack<T> load_once(const T* from) {
        return launch::load_streaming(reinterpret_cast<const Pack<T>*>(from));
    }
    const Arrays<T>& arrays_;
};

/// The numbers of a pack's values, loaded as one word.
template <class T, class Number>
struct alignas(pack_width<T> * sizeof(Number)) Numbers {
    Number at[pack_width<T>];
    __device__ int number(int i) const { return static_cast<int>(at[i]); }
    __device__ bool is_uniform() const {
        bool same = true;
        for (int i = 1; i < pack_width<T>; ++i)
            same = same & (at[i] == at[0]);
        return same;
    }
};
/// The first one lowest.
template <class T>
struct Numbers<T, std::uint8_t> {
    std::conditional_t<pack_width<T> == 4, std::uint32_t, std::uint16_t> word;
    __device__ int number(int i) const { return word >> (8 * i) & 255; }
    __device__ bool is_uniform() const {
        constexpr std::uint32_t everywhere = pack_width<T> == 4 ? 0x01010101 : 0x0101;
        return word == number(0) * everywhere;
    }
};

/// By index: a number a node, and two tables. Most packs lie within one material and look up once. Tables for
/// a byte fit shared memory; larger ones stay where they are. The number is loaded with what H needs, which
/// is earlier.
template <class T, class Number>
struct FromIndex {
    struct LoadedE {};
    using LoadedH = Numbers<T, Number>;
    static constexpr bool in_shared = sizeof(Number) == 1;
    // In double the reciprocals' registers would cost more than they save.
    static constexpr bool is_small = true, by_reciprocal = sizeof(T) == 4;
    static constexpr int most_threads = 384, most_planes = 1 << 16;
    static std::size_t shared_bytes(const Indexed<T>& index) {
        return in_shared ? table_bytes<T>(index.combinations) : 0;
    }

    /// By all threads of a block, which wait for each other behind it.
    __device__ FromIndex(const WholeStep<T>& step, void* shared)
        : numbers_(reinterpret_cast<const Number*>(step.index.number)),
          of_e_(in_shared ? static_cast<const OfE<T>*>(shared) : step.index.of_e),
          of_h_(in_shared
                    ? reinterpret_cast<const OfH<T>*>(static_cast<OfE<T>*>(shared) + step.index.combinations)
                    : step.index.of_h) {
        if constexpr (in_shared) {
            auto* const e = static_cast<OfE<T>*>(shared);
            auto* const h = reinterpret_cast<OfH<T>*>(e + step.index.combinations);
            for (int k = threadIdx.x; k < step.index.combinations; k += blockDim.x) {
                e[k] = step.index.of_e[k];
                h[k] = step.index.of_h[k];
            }
        }
    }

    /// Has the L2 cache fetch some nodes' numbers.
    __device__ void prefetch(unsigned from, unsigned values) const {
        launch::prefetch_to_l2(numbers_ + from, values * sizeof(Number));
    }
    __device__ LoadedE load_e(unsigned) const { return {}; }
    __device__ LoadedH load_h(unsigned at) const { return *reinterpret_cast<const LoadedH*>(numbers_ + at); }
    __device__ PackOfE<T> of_e(const LoadedE&, const LoadedH& loaded) const {
        PackOfE<T> result;
        look_up(loaded, [&](int i, int number) {
            for (int c = 0; c < 3; ++c) {
                const auto entry = of_e_[number].component[c];
                result.eps[c].at[i] = entry.eps;
                result.denominator[c].at[i] = entry.denominator;
                result.reciprocal[c].at[i] = entry.reciprocal;
                result.has_reciprocals = result.has_reciprocals & (entry.reciprocal != 0);
            }
        });
        return result;
    }
    __device__ PackOfH<T> of_h(const LoadedH& loaded) const {
        PackOfH<T> result;
        look_up(loaded, [&](int i, int number) {
            const OfH<T> entry = of_h_[number];
            for (int c = 0; c < 3; ++c)
                result.factor[c].at[i] = entry.factor[c];
        });
        return result;
    }

  private:
    /// take(value's index in the pack, its number)
    template <class Take>
    __device__ static void look_up(const LoadedH& loaded, Take take) {
        if (loaded.is_uniform()) {
            for (int i = 0; i < pack_width<T>; ++i)
                take(i, loaded.number(0));
        } else {
            for (int i = 0; i < pack_width<T>; ++i)
                take(i, loaded.number(i));
        }
    }
    const Number* const numbers_;
    const OfE<T>* const of_e_;
    const OfH<T>* const of_h_;
};

/// A pack of a component a step later, in the slots that the scheme updates. Chosen, not branched to: so the
/// operations of all components cover each other's latency.
/// How E is divided by its denominators: plainly; by their reciprocals, which is inexact for small dividends;
/// or by the reciprocals where that is exact.
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
