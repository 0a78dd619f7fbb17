#include <algorithm>

#include "kernels/isa.hpp"
#include "kernels/jacobi/cpu.hpp"
#include "kernels/precision.hpp"

namespace gridmark::jacobi {

template <class T>
Segment<T> widest_segment() {
    return for_precision<T>(for_widest_isa(GRIDMARK_VERSIONS(segment_float)),
                            for_widest_isa(GRIDMARK_VERSIONS(segment_double)));
}

template <class T>
void cpu_openmp(const Problem& p, const T* psi, const T* omega, T* next, int threads) {
    static const Segment<T> segment = widest_segment<T>();
    const auto k = coefficients<T>(p);
    const long nx = p.nx;
    const int last = p.nx - 1;
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int j = 1; j < p.ny - 1; ++j) {
        const T* row = psi + j * nx;
        T* out = next + j * nx;
        const bool body = j >= p.body.y1 && j <= p.body.y2 && p.body.x1 <= p.body.x2;
        const int cut = body ? std::clamp(p.body.x1, 1, last) : last;
        segment(k.a, k.b, k.c, row, omega + j * nx, out, nx, 1, cut);
        if (body)
            segment(k.a, k.b, k.c, row, omega + j * nx, out, nx, std::clamp(p.body.x2 + 1, 1, last), last);
        if (kind(p, last, j) == Kind::outflow) out[last] = row[last - 1];
    }
}

template Segment<float> widest_segment();
template Segment<double> widest_segment();
template void cpu_openmp(const Problem&, const float*, const float*, float*, int);
template void cpu_openmp(const Problem&, const double*, const double*, double*, int);

}  // namespace gridmark::jacobi
