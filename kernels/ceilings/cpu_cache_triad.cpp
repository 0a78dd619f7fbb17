// The triad on arrays that stay in a cache, compiled once per instruction set (GRIDMARK_ISA names its
// namespace), with registers of the set's full width.
#include "kernels/ceilings/cpu.hpp"

namespace gridmark::ceilings::GRIDMARK_ISA {
namespace {

#if defined(__AVX512F__)
constexpr const char* name = "avx512f";
constexpr int register_bytes = 64;
#elif defined(__AVX2__)
constexpr const char* name = "avx2,fma";
constexpr int register_bytes = 32;
#elif defined(__ARM_FEATURE_SVE)
constexpr const char* name = "sve";
#elif defined(__aarch64__)
constexpr const char* name = "neon";
constexpr int register_bytes = 16;
#else
constexpr const char* name = "sse2";
constexpr int register_bytes = 16;
#endif

#if defined(__ARM_FEATURE_SVE)

// A register's length is known only while the program runs: the compiler's affair.
void pass(double* __restrict__ a, const double* __restrict__ b, const double* __restrict__ c, double factor,
          std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
        a[i] = b[i] + factor * c[i];
}

#else

typedef double Register __attribute__((vector_size(register_bytes), may_alias));

void pass(double* a, const double* b, const double* c, double factor, std::size_t count) {
    constexpr std::size_t lanes = register_bytes / sizeof(double);
    const Register factors = Register{} + factor;
    auto* to = reinterpret_cast<Register*>(a);
    const auto* x = reinterpret_cast<const Register*>(b);
    const auto* y = reinterpret_cast<const Register*>(c);
    for (std::size_t i = 0; i < count / lanes; i += 4) {
        to[i] = x[i] + factors * y[i];
        to[i + 1] = x[i + 1] + factors * y[i + 1];
        to[i + 2] = x[i + 2] + factors * y[i + 2];
        to[i + 3] = x[i + 3] + factors * y[i + 3];
    }
}

#endif

void run(double* a, const double* b, const double* c, double factor, std::size_t count, long passes) {
    for (long i = 0; i < passes; ++i) {
        pass(a, b, c, factor, count);
        asm volatile("" ::: "memory");  // each pass counts
    }
}

}  // namespace

CpuCacheTriad cache_triad() {
    return {name, run};
}

}  // namespace gridmark::ceilings::GRIDMARK_ISA
