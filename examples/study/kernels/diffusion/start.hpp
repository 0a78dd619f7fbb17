#pragma once

#include <cstdint>
#include <vector>

#include "kernels/diffusion/problem.hpp"

#include "kernels/random.hpp"

namespace gridmark::diffusion {

/// Random values between -1 and 1: no symmetry that could hide an error.
template <class T>
std::vector<T> random_start(const Problem& p, std::uint64_t seed) {
    std::vector<T> field(static_cast<std::size_t>(p.n));
    for (std::size_t i = 0; i < field.size(); ++i)
        field[i] = static_cast<T>(2 * unit_random(seed, i) - 1);
    return field;
}

}  // namespace gridmark::diffusion
