#pragma once

#include <cstddef>
#include <span>
#include <type_traits>

#include "kernels/storage.hpp"

namespace gridmark {

/// The version for T, float or double, of a pair that no template could join: functions compiled for an
/// instruction set, for example.
template <class T, class Single, class Double>
constexpr auto for_precision(Single single, Double twice) {
    if constexpr (std::is_same_v<T, float>)
        return single;
    else
        return twice;
}

/// The same values in double, written by all threads: one alone takes seconds for the pages of a large field.
template <class T>
Storage<double> in_double(std::span<const T> values) {
    Storage<double> result(values.size());
    const auto n = static_cast<std::ptrdiff_t>(values.size());
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i)
        result[i] = values[i];
    return result;
}

}  // namespace gridmark
