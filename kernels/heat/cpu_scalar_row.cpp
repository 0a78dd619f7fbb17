// Rows of cpu_blocked: one point at a time, compiled without vectorisation.
#include "kernels/heat/cpu_row.hpp"
#include "kernels/heat/update.hpp"

namespace gridmark::heat::scalar {
namespace {

template <class T>
void scalar_row(const Coefficients<T>& k, const T* now, const T* beta, T* next, int row, int plane,
                int count) {
    for (int i = 0; i < count; ++i)
        next[i] = update(k, now[i], neighbours(now + i, 1), neighbours(now + i, row),
                         neighbours(now + i, plane), beta[i]);
}

}  // namespace

void row_float(const Coefficients<float>& k, const float* now, const float* beta, float* next, int row,
               int plane, int count, bool) {
    scalar_row(k, now, beta, next, row, plane, count);
}

void row_double(const Coefficients<double>& k, const double* now, const double* beta, double* next, int row,
                int plane, int count, bool) {
    scalar_row(k, now, beta, next, row, plane, count);
}

}  // namespace gridmark::heat::scalar
