#pragma once

// CUDA's warp operations for the host executor.

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/launch/host_block.hpp"

namespace gridmark::launch::executor {

/// What lane `source` brings to the exchange at this line.
template <class T>
T shuffle(unsigned mask, T value, unsigned source, Site site) {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "CUDA shuffles 4 or 8 bytes");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = Block::current()->exchange(mask, bits, source, site);
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Own lane and the first lane of its segment of `width` lanes, a power of two.
struct Segment {
    explicit Segment(int width) : lane(static_cast<int>(Block::current()->lane())), first(lane & -width) {}
    int lane;
    int first;
};

}  // namespace gridmark::launch::executor

inline void __syncwarp(unsigned mask = 0xffffffffu, const char* file = __builtin_FILE(),
                       int line = __builtin_LINE()) {
    auto& block = *gridmark::launch::executor::Block::current();
    block.exchange(mask, 0, block.lane(), {file, line});
}

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = 32, const char* file = __builtin_FILE(),
              int line = __builtin_LINE()) {
    const gridmark::launch::executor::Segment segment(width);
    const int from = segment.first + (source & (width - 1));
    return gridmark::launch::executor::shuffle(mask, value, static_cast<unsigned>(from), {file, line});
}

// Where the segment ends, a lane keeps its own value.
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, const char* file = __builtin_FILE(),
                 int line = __builtin_LINE()) {
    const gridmark::launch::executor::Segment segment(width);
    const int from = segment.lane - static_cast<int>(delta);
    return gridmark::launch::executor::shuffle(
        mask, value, static_cast<unsigned>(from < segment.first ? segment.lane : from), {file, line});
}

template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32,
                   const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    const gridmark::launch::executor::Segment segment(width);
    const int from = segment.lane + static_cast<int>(delta);
    return gridmark::launch::executor::shuffle(
        mask, value, static_cast<unsigned>(from >= segment.first + width ? segment.lane : from),
        {file, line});
}

template <class T>
T __shfl_xor_sync(unsigned mask, T value, int bits, int width = 32, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    const gridmark::launch::executor::Segment segment(width);
    const int from = segment.lane ^ bits;
    return gridmark::launch::executor::shuffle(
        mask, value, static_cast<unsigned>(from >= segment.first + width ? segment.lane : from),
        {file, line});
}
