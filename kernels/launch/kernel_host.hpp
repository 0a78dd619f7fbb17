#pragma once

// kernel.hpp for the host executor: CUDA's words for kernels that g++ compiles, its warp operations, and
// launches. What each function does stands in kernel_cuda.hpp; here is how the host does it.

#include <cmath>
#include <cstdint>
#include <cstring>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kernels/launch/host_block.hpp"
#include "kernels/launch/host_grid.hpp"
#include "kernels/launch/kernel_info.hpp"

// --- CUDA's words; they stand at global scope because CUDA's do

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

// --- warp operations

namespace gridmark::launch::executor {

/// What lane `source` brings to the exchange at this line.
template <class T>
T shuffle(unsigned mask, T value, unsigned source, Site site) {
    static_assert(std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8),
                  "CUDA shuffles 4 or 8 bytes");
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    bits = Block::current()->exchange(mask, bits, source, site);
    Block::current()->shuffled();
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

// --- launches

namespace gridmark::launch {
// See kernel_cuda.hpp for why this namespace is needed.
inline namespace host {

/// Puts the arguments together and lets `run` (executor::run_grid or its like) call `kernel` with them.
template <class Run, class... Params, class... Args>
void run_kernel(Run run, Stream stream, const Shape& shape, void (*kernel)(Params...), Args&&... args) {
    static_assert(sizeof...(Params) == sizeof...(Args), "as many arguments as the kernel has parameters");
    static_assert((std::is_trivially_copyable_v<Params> && ...), "kernel parameters are plain data");
    struct Arguments {
        void (*kernel)(Params...);
        std::tuple<Params...> values;
    };
    const Arguments arguments{kernel, std::tuple<Params...>(std::forward<Args>(args)...)};
    const auto invoke = [](const void* erased) {
        const auto& call = *static_cast<const Arguments*>(erased);
        std::apply(call.kernel, call.values);
    };
    run(stream, shape, reinterpret_cast<const void*>(kernel),
        executor::Call{invoke, &arguments, sizeof arguments});
}

/// Runs `kernel` on `shape` and returns when it is done.
template <class... Params, class... Args>
void launch(Stream stream, const Shape& shape, void (*kernel)(Params...), Args&&... args) {
    run_kernel(executor::run_grid, stream, shape, kernel, std::forward<Args>(args)...);
}

/// The same with all blocks alive at once.
template <class... Params, class... Args>
void launch_cooperative(Stream stream, const Shape& shape, void (*kernel)(Params...), Args&&... args) {
    run_kernel(executor::run_grid_together, stream, shape, kernel, std::forward<Args>(args)...);
}

/// The host has none; so many, that kernels which share out their work find some.
inline int multiprocessors() {
    return 11;
}

/// A few: a fiber each for all their threads.
template <class... Params>
int resident_blocks(void (*)(Params...), unsigned block_threads, std::size_t = 0) {
    return executor::resident_blocks(block_threads);
}

/// Sets a GRIDMARK_CONSTANT for the launches that follow.
template <class T>
void set_constant(Stream stream, T& name, const std::type_identity_t<T>& value) {
    static_assert(sizeof(T) <= 64 * 1024, "constant memory holds 64 KiB");
    executor::check_host(stream);
    name = value;
}

/// Nothing to choose on the host.
template <class... Params>
void set_carveout(void (*)(Params...), Carveout) {}

/// Lets a kernel use up to `bytes` of dynamic shared memory; needed above 48 KiB.
template <class... Params>
void allow_dynamic_shared(void (*kernel)(Params...), std::size_t bytes) {
    executor::allow_dynamic_shared(reinterpret_cast<const void*>(kernel), bytes);
}

/// Always nullopt: registers and occupancy are a GPU's.
template <class... Params>
std::optional<KernelInfo> kernel_info(void (*)(Params...), unsigned, std::size_t = 0) {
    return std::nullopt;
}

}  // namespace host
}  // namespace gridmark::launch
