#include "kernels/jacobi/cpu.hpp"
#include "kernels/jacobi/update.hpp"

namespace gridmark::jacobi {

template <class T>
void cpu_naive(const Problem& p, const T* psi, const T* omega, T* next) {
    const auto coefficient = coefficients<T>(p);
    for (int j = 0; j < p.ny; ++j) {
        for (int i = 0; i < p.nx; ++i) {
            const int k = i + j * p.nx;
            if (i == 0 || j == 0 || j == p.ny - 1) continue;
            if (i >= p.body.x1 && i <= p.body.x2 && j >= p.body.y1 && j <= p.body.y2) continue;
            if (i == p.nx - 1)
                next[k] = psi[k - 1];
            else
                next[k] = update(coefficient, psi[k + 1], psi[k - 1], psi[k + p.nx], psi[k - p.nx], omega[k]);
        }
    }
}

template void cpu_naive(const Problem&, const float*, const float*, float*);
template void cpu_naive(const Problem&, const double*, const double*, double*);

}  // namespace gridmark::jacobi
