#include "kernels/ceilings/cpu.hpp"

#include "kernels/isa.hpp"

#if defined(__x86_64__)
#include <emmintrin.h>
#else
#include <arm_neon.h>
#endif

namespace gridmark::ceilings {

void triad(double* __restrict a, const double* __restrict b, const double* __restrict c, double factor,
           std::size_t count) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i)
        a[i] = b[i] + factor * c[i];
}

#if defined(__x86_64__)

// SSE2 is part of every x86-64, and memory is far slower than two lanes.
void triad_streaming(double* a, const double* b, const double* c, double factor, std::size_t count) {
    const __m128d factors = _mm_set1_pd(factor);
    std::size_t i = 0;
    for (; i + 2 <= count; i += 2) {
        const __m128d product = _mm_mul_pd(factors, _mm_loadu_pd(c + i));
        _mm_stream_pd(a + i, _mm_add_pd(_mm_loadu_pd(b + i), product));
    }
    for (; i < count; ++i)
        a[i] = b[i] + factor * c[i];
    _mm_sfence();
}

#else

// Two registers at once past the caches: STNP, which g++ makes of no built-in function.
void triad_streaming(double* a, const double* b, const double* c, double factor, std::size_t count) {
    std::size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        const float64x2_t low = vfmaq_n_f64(vld1q_f64(b + i), vld1q_f64(c + i), factor);
        const float64x2_t high = vfmaq_n_f64(vld1q_f64(b + i + 2), vld1q_f64(c + i + 2), factor);
        asm volatile("stnp %q1, %q2, [%0]" : : "r"(a + i), "w"(low), "w"(high) : "memory");
    }
    for (; i < count; ++i)
        a[i] = b[i] + factor * c[i];
}

#endif

namespace {

template <class Version>
std::vector<Version> those_it_has(Version (*const (&versions)[isa_count])()) {
    std::vector<Version> found;
    for (const Isa isa : compiled_isas)
        if (has_isa(isa)) found.push_back(for_isa(isa, versions)());
    return found;
}

}  // namespace

std::vector<CpuFma> cpu_fma_float() {
    return those_it_has<CpuFma>(GRIDMARK_VERSIONS(fma_float));
}

std::vector<CpuFma> cpu_fma_double() {
    return those_it_has<CpuFma>(GRIDMARK_VERSIONS(fma_double));
}

std::vector<CpuCacheTriad> cpu_cache_triads() {
    return those_it_has<CpuCacheTriad>(GRIDMARK_VERSIONS(cache_triad));
}

}  // namespace gridmark::ceilings
