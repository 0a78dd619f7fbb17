#pragma once

#include <cstring>

#include "kernels/launch/kernel.hpp"

/// Loads and stores that tell the caches not to keep the line: for data that no other thread reads in this
/// launch. And loads of what nobody writes in this launch, which the compiler may therefore move before any
/// store. And loads past the L1. V is plain data of 4, 8 or 16 bytes, aligned to its size. On the host they
/// are plain copies.
namespace gridmark::launch {
inline namespace GRIDMARK_EXECUTOR {

#if defined(GRIDMARK_HOST_EXECUTOR)
template <class V>
V load_streaming(const V* from) {
    return *from;
}
template <class V>
void store_streaming(V* to, const V& value) {
    *to = value;
}
template <class V>
V load_constant(const V* from) {
    return *from;
}
template <class V>
V load_from_l2(const V* from) {
    return *from;
}
#else
template <std::size_t bytes>
struct WordOfSize;
template <>
struct WordOfSize<4> {
    using type = float;
};
template <>
struct WordOfSize<8> {
    using type = float2;
};
template <>
struct WordOfSize<16> {
    using type = float4;
};

template <class V>
using WordOf = typename WordOfSize<sizeof(V)>::type;

template <class V>
__device__ inline V from_word(const WordOf<V>& word) {
    V value;
    memcpy(&value, &word, sizeof value);
    return value;
}
template <class V>
__device__ inline V load_streaming(const V* from) {
    return from_word<V>(__ldcs(reinterpret_cast<const WordOf<V>*>(from)));
}
template <class V>
__device__ inline V load_constant(const V* from) {
    return from_word<V>(__ldg(reinterpret_cast<const WordOf<V>*>(from)));
}
template <class V>
__device__ inline V load_from_l2(const V* from) {
    return from_word<V>(__ldcg(reinterpret_cast<const WordOf<V>*>(from)));
}
template <class V>
__device__ inline void store_streaming(V* to, const V& value) {
    WordOf<V> word;
    memcpy(&word, &value, sizeof word);
    __stcs(reinterpret_cast<WordOf<V>*>(to), word);
}
#endif

}  // namespace GRIDMARK_EXECUTOR

/// Neighbouring values that a thread loads and stores at once: sixteen bytes, so four floats or two doubles.
/// A quarter or half of the instructions, and full lines for a warp.
template <class T>
struct alignas(16) Vector {
    static constexpr int width = static_cast<int>(16 / sizeof(T));
    T at[width];
};

}  // namespace gridmark::launch
