#include "kernels/ceilings/cpu_fma_versions.hpp"

#if defined(__x86_64__)
#include <immintrin.h>

namespace gridmark::ceilings::avx2 {
namespace {

// Four cycles of latency by two units need 8; with factor and term, 14 of the 16 registers are in use.
constexpr int chains = 12;

// A target attribute on each function that is used here, as the file itself is compiled for the baseline.
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256 spread(float x) {
    return _mm256_set1_ps(x);
}
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256d spread(double x) {
    return _mm256_set1_pd(x);
}
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256 fma(__m256 x, __m256 factor, __m256 term) {
    return _mm256_fmadd_ps(x, factor, term);
}
[[gnu::target("avx2,fma"), gnu::always_inline]] inline __m256d fma(__m256d x, __m256d factor, __m256d term) {
    return _mm256_fmadd_pd(x, factor, term);
}

template <class Register, class T>
[[gnu::target("avx2,fma")]] double run(long iterations, double factor, double term) {
    constexpr int lanes = sizeof(Register) / sizeof(T);
    Register chain[chains];
    for (int k = 0; k < chains; ++k)
        chain[k] = spread(static_cast<T>(k));
    const Register factors = spread(static_cast<T>(factor));
    const Register terms = spread(static_cast<T>(term));
    for (long i = 0; i < iterations; ++i) {
#pragma GCC unroll 12
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
    return {"avx2,fma", 2.0 * 8 * chains, 8, chains, run<__m256, float>};
}
CpuFma fma_double() {
    return {"avx2,fma", 2.0 * 4 * chains, 4, chains, run<__m256d, double>};
}

}  // namespace gridmark::ceilings::avx2

#endif
