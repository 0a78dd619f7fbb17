#pragma once

#include <cstdint>

namespace gridmark {

/// SplitMix64: a value in [0, 1) for any (seed, index), so that fields need no generator state and any part
/// of one can be made alone.
inline double unit_random(std::uint64_t seed, std::uint64_t index) {
    std::uint64_t z = seed * 0x9E3779B97F4A7C15ULL + (index + 1) * 0xD1B54A32D192ED03ULL;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

}  // namespace gridmark
