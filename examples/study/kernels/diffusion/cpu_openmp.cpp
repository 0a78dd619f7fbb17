#include "kernels/diffusion/cpu.hpp"
#include "kernels/diffusion/update.hpp"

namespace gridmark::diffusion {

template <class T>
void cpu_openmp(const Problem& p, const T* now, T* next, int threads) {
    const auto r = static_cast<T>(p.r);
    next[0] = now[0];
    next[p.n - 1] = now[p.n - 1];
#pragma omp parallel for num_threads(threads)
    for (int i = 1; i < p.n - 1; ++i)
        next[i] = updated(r, now[i - 1], now[i], now[i + 1]);
}

template void cpu_openmp(const Problem&, const float*, float*, int);
template void cpu_openmp(const Problem&, const double*, double*, int);

}  // namespace gridmark::diffusion
