#include "kernels/heat/cpu.hpp"
#include "kernels/heat/update.hpp"

namespace gridmark::heat {

template <class T>
void cpu_naive(const Problem& p, const T* now, const T* beta, T* next, int threads) {
    const Layout l = tight_layout(p);
    const Coefficients<T> coefficient = coefficients<T>(p);
    const int row = l.row(), plane = l.plane(), origin = static_cast<int>(l.origin());
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < p.nz; ++k)
        for (int j = 0; j < p.ny; ++j)
            for (int i = 0; i < p.nx; ++i) {
                const int at = origin + i + j * row + k * plane;
                next[at] = update(coefficient, now[at], neighbours(now + at, 1), neighbours(now + at, row),
                                  neighbours(now + at, plane), beta[i + p.nx * (j + p.ny * k)]);
            }
}

template void cpu_naive(const Problem&, const float*, const float*, float*, int);
template void cpu_naive(const Problem&, const double*, const double*, double*, int);

}  // namespace gridmark::heat
