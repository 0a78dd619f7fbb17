#pragma once

#include <cstddef>
#include <vector>

#include "kernels/isa.hpp"

/// What a CPU can do at most: kernels of the ceilings.
namespace gridmark::ceilings {

// Chains of multiply-adds in registers: the most arithmetic that one core does.

/// One instruction set's version for one type. `run(n, factor, term)` starts every lane of every chain k at
/// k, applies x = x * factor + term n times, and returns the sum of all lanes; that is flops_per_iteration *
/// n operations.
struct CpuFma {
    const char* isa;  ///< avx512f, avx2 (with fma) or the baseline
    double flops_per_iteration;
    int lanes;  ///< of a register
    int chains;
    double (*run)(long iterations, double factor, double term);
};

/// The versions that this processor can execute; never empty. The last is the widest.
std::vector<CpuFma> cpu_fma_float();
std::vector<CpuFma> cpu_fma_double();

// The STREAM triad, a = b + factor * c, for one thread's part of the arrays.

/// Bytes that count per element: two reads and one write. What the memory moves may be 32: an ordinary store
/// first reads its cache line.
inline constexpr double triad_bytes = 24;
inline constexpr double triad_flops = 2;

/// With ordinary stores.
void triad(double* a, const double* b, const double* c, double factor, std::size_t count);

/// With stores past the caches, where the processor has them (else as above). `a` is aligned to 16 bytes. The
/// stores are complete, for other threads too, when it returns.
void triad_streaming(double* a, const double* b, const double* c, double factor, std::size_t count);

// The same again and again on arrays that stay in a cache.

/// One instruction set's version: `run(a, b, c, factor, count, passes)` as triad(), `passes` times. `count`
/// is a multiple of 32; the addresses are aligned to 64 bytes.
struct CpuCacheTriad {
    const char* isa;
    void (*run)(double* a, const double* b, const double* c, double factor, std::size_t count, long passes);
};

/// Those that this processor can execute; never empty.
std::vector<CpuCacheTriad> cpu_cache_triads();

}  // namespace gridmark::ceilings

/// The versions, once per instruction set (cpu_fma_chains.cpp, cpu_cache_triad.cpp). Call only what the CPU
/// has.
#define GRIDMARK_DECLARE_FMA(ISA)       \
    namespace gridmark::ceilings::ISA { \
    CpuFma fma_float();                 \
    CpuFma fma_double();                \
    CpuCacheTriad cache_triad();        \
    }
GRIDMARK_FOR_EACH_ISA(GRIDMARK_DECLARE_FMA)
#undef GRIDMARK_DECLARE_FMA
