#include "kernels/ceilings/cpu_fma_versions.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace gridmark::ceilings::avx512 {
namespace {

// Four cycles of latency by two units need 8; there are 32 registers.
constexpr int chains = 16;

// A target attribute on each function that is used here, as the file itself is compiled for the baseline.
[[gnu::target("avx512f"), gnu::always_inline]] inline __m512 spread(float x) {
    return _mm512_set1_ps(x);
}
[[gnu::target("avx512f"), gnu::always_inline]] inline __m512d spread(double x) {
    return _mm512_set1_pd(x);
}
[[gnu::target("avx512f"), gnu::always_inline]] inline __m512 fma(__m512 x, __m512 factor, __m512 term) {
    return _mm512_fmadd_ps(x, factor, term);
}
[[gnu::target("avx512f"), gnu::always_inline]] inline __m512d fma(__m512d x, __m512d factor, __m512d term) {
    return _mm512_fmadd_pd(x, factor, term);
}

template <class Register, class T>
[[gnu::target("avx512f")]] double run(long iterations, double factor, double term) {
    constexpr int lanes = sizeof(Register) / sizeof(T);
    Register chain[chains];
    for (int k = 0; k < chains; ++k)
        chain[k] = spread(static_cast<T>(k));
    const Register factors = spread(static_cast<T>(factor));
    const Register terms = spread(static_cast<T>(term));
    for (long i = 0; i < iterations; ++i) {
#pragma GCC unroll 16
        for (int k = 0; k < chains; ++k)
            chain[k] = fma(chain[k], factors, terms);
    }
    double sum = 0;
    for (const Register& lane : chain) {
        for (int l = 0; l < lanes; ++l)
            sum += static_cast<double>(lane[l]);
    }
    return sum;
}

}  // namespace

CpuFma fma_float() {
    return {"avx512f", 2.0 * 16 * chains, 16, chains, run<__m512, float>};
}
CpuFma fma_double() {
    return {"avx512f", 2.0 * 8 * chains, 8, chains, run<__m512d, double>};
}

}  // namespace gridmark::ceilings::avx512

#endif
