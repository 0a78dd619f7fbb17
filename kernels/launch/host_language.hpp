#pragma once

// CUDA's words for kernels that g++ compiles. They stand at global scope because CUDA's do.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "kernels/launch/host_block.hpp"

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __shared__ static_assert(false, "use GRIDMARK_SHARED or GRIDMARK_DYNAMIC_SHARED");
#define __constant__ static_assert(false, "use GRIDMARK_CONSTANT");

// Like the array of CUDA, a real array: sizeof works, and UBSan sees an index past its end.
#define GRIDMARK_SHARED(T, name, count)                                                                 \
    static const char name##_site = 0;                                                                  \
    T(&name)                                                                                            \
    [count] = *static_cast<T(*)[count]>(::gridmark::launch::executor::Block::current()->shared().array( \
        {&name##_site, #name, sizeof(T[count])}))

#define GRIDMARK_DYNAMIC_SHARED(T, name) \
    T* const name = static_cast<T*>(::gridmark::launch::executor::Block::current()->shared().dynamic())

#define GRIDMARK_CONSTANT(T, name) static T name

using gridmark::launch::executor::blockDim;
using gridmark::launch::executor::blockIdx;
using gridmark::launch::executor::gridDim;
using gridmark::launch::executor::threadIdx;
using dim3 = gridmark::launch::Dim3;

inline constexpr int warpSize = 32;

struct alignas(8) int2 {
    int x, y;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(16) double2 {
    double x, y;
};

// The default arguments stand for the line of the call.
inline void __syncthreads(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    gridmark::launch::executor::Block::current()->barrier({file, line});
}

template <class T>
inline T __ldg(const T* address) {
    return *address;
}

template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> min(A a, B b) {
    using T = std::common_type_t<A, B>;
    return static_cast<T>(b) < static_cast<T>(a) ? static_cast<T>(b) : static_cast<T>(a);
}

template <class A, class B>
requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) constexpr std::common_type_t<A, B> max(A a, B b) {
    using T = std::common_type_t<A, B>;
    return static_cast<T>(a) < static_cast<T>(b) ? static_cast<T>(b) : static_cast<T>(a);
}

inline double __hiloint2double(int high, int low) {
    const auto bits = std::uint64_t{static_cast<std::uint32_t>(high)} << 32 | static_cast<std::uint32_t>(low);
    double value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}
