// Rows of cpu_openmp, compiled once per instruction set (GRIDMARK_ISA names its namespace). The formulas of
// scheme.hpp are written out: their templates would leave wide instances in the baseline program.
#include "kernels/maxwell/cpu_row.hpp"

namespace gridmark::maxwell::GRIDMARK_ISA {
namespace {

template <class T, Along along>
inline T rotation_at(const Row<T>& r, int i) {
    const T inverse_a = along == Along::a ? r.inverse_along[i] : r.inverse_a;
    const T inverse_b = along == Along::b ? r.inverse_along[i] : r.inverse_b;
    return (r.b_high[i] - r.b_low[i]) * inverse_a - (r.a_high[i] - r.a_low[i]) * inverse_b;
}

template <class T, Along along>
void e_row(const Row<T>& row) {
    const Row<T> r = row;
#pragma omp simd
    for (int i = 0; i < r.count; ++i)
        r.field[i] = (r.dct * rotation_at<T, along>(r, i) + r.eps_or_mu[i] * r.field[i]) /
                     (r.eps_or_mu[i] + r.sigma[i] * r.dct);
}

template <class T, Along along>
void h_row(const Row<T>& row) {
    const Row<T> r = row;
#pragma omp simd
    for (int i = 0; i < r.count; ++i)
        r.field[i] = r.field[i] - r.dct / r.eps_or_mu[i] * rotation_at<T, along>(r, i);
}

template <class T>
void any_e_row(const Row<T>& row, Along along) {
    if (along == Along::a)
        e_row<T, Along::a>(row);
    else if (along == Along::b)
        e_row<T, Along::b>(row);
    else
        e_row<T, Along::neither>(row);
}

template <class T>
void any_h_row(const Row<T>& row, Along along) {
    if (along == Along::a)
        h_row<T, Along::a>(row);
    else if (along == Along::b)
        h_row<T, Along::b>(row);
    else
        h_row<T, Along::neither>(row);
}

}  // namespace

void e_row_float(const Row<float>& row, Along along) {
    any_e_row(row, along);
}
void e_row_double(const Row<double>& row, Along along) {
    any_e_row(row, along);
}
void h_row_float(const Row<float>& row, Along along) {
    any_h_row(row, along);
}
void h_row_double(const Row<double>& row, Along along) {
    any_h_row(row, along);
}

}  // namespace gridmark::maxwell::GRIDMARK_ISA
