#pragma once

namespace gridmark::diffusion {

/// The new value of an inner point, for all variants. Source: equation (1).
template <class T>
constexpr T updated(T r, T left, T at, T right) {
    return at + r * (left - T{2} * at + right);
}

}  // namespace gridmark::diffusion
