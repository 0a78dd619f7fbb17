#pragma once

#include <type_traits>

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

}  // namespace gridmark
