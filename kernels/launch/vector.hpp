#pragma once

namespace gridmark::launch {

/// Neighbouring values that a thread loads and stores at once: sixteen bytes, so four floats or two doubles.
/// A quarter or half of the instructions, and full lines for a warp.
template <class T>
struct alignas(16) Vector {
    static constexpr int width = static_cast<int>(16 / sizeof(T));
    T at[width];
};

}  // namespace gridmark::launch
