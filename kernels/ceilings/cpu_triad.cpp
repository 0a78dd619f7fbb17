#include "kernels/ceilings/cpu_triad.hpp"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace gridmark::ceilings {

void triad(double* __restrict a, const double* __restrict b, const double* __restrict c, double factor,
           std::size_t count) {
#pragma omp simd
    for (std::size_t i = 0; i < count; ++i)
        a[i] = b[i] + factor * c[i];
}

#ifdef __SSE2__

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

void triad_streaming(double* a, const double* b, const double* c, double factor, std::size_t count) {
    triad(a, b, c, factor, count);
}

#endif

}  // namespace gridmark::ceilings
