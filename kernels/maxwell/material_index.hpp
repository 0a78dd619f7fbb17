#pragma once

#include <cstdint>
#include <vector>

#include "kernels/maxwell/averages.hpp"

/// The coefficients of a body of few materials in a byte a node instead of nine values: averaging makes
/// combinations of them, but in a scene of boxes and layers only some dozens, so that a byte tells which one
/// a node has.
namespace gridmark::maxwell {

/// What E's half step takes of a node's coefficients, and what H's does: along x, y, z. Quotients and
/// denominators are as the scheme rounds them, so that whoever looks them up gets the bits of who computes
/// them. Aligned so that a GPU loads them in words of 16 bytes.
template <class T>
struct OfE {
    struct alignas(16) Component {
        T eps, denominator;
        T reciprocal;  ///< of the denominator: see quotient.hpp
    };
    Component component[3];
};
template <class T>
struct alignas(16) OfH {
    T factor[3];
};

template <class T>
struct MaterialIndex {
    /// Combinations that a byte can tell.
    static constexpr int most = 256;

    Layout layout;
    Storage<std::uint8_t> number;  ///< which combination, laid out as the fields are
    std::vector<OfE<T>> of_e;      ///< by number
    std::vector<OfH<T>> of_h;
};

/// Throws launch::Unavailable if there are more combinations than a byte can tell.
template <class T>
MaterialIndex<T> index_materials(const Coefficients<T>& coefficients, T dct);

}  // namespace gridmark::maxwell
