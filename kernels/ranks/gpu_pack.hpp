#pragma once

#include <array>
#include <cstddef>

#include "kernels/launch/dispatch.hpp"

namespace gridmark::ranks {

/// From a field to its packed values, or from those into the field.
enum class Way { out, in };

/// A box of a field on a device, and its values in C order, axis 0 fastest.
template <class T>
struct PackedBox {
    T *field, *packed;
    int size[3];
    std::ptrdiff_t stride[3];  ///< of the field
};

/// Puts the copy of a box into a stream.
GRIDMARK_BOTH_EXECUTORS(template <class T>
                        void copy_packed(launch::Stream stream, const PackedBox<T>& box, Way way);)

}  // namespace gridmark::ranks
