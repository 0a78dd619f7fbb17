// Rows of the vector versions, compiled once per instruction set (GRIDMARK_ISA names its namespace). Every
// template used here is instantiated with types of that namespace alone: an instance shared with other files
// would leave its wide version in the baseline program.
#include "kernels/heat/cpu_row.hpp"
#include "kernels/heat/row.hpp"
#include "kernels/heat/vector.hpp"

namespace gridmark::heat::GRIDMARK_ISA {

template <class T, bool streaming>
static inline void whole_row(const Coefficients<T>& k, const T* now, const T* beta, T* next, int row,
                             int plane, int count) {
    const auto wide = each_as<Vector<T>>(k);
    const auto single = each_as<One<T>>(k);
    const int done = update_row<Vector<T>, streaming>(wide, now, beta, next, row, plane, 0, count);
    update_row<One<T>, false>(single, now, beta, next, row, plane, done, count);
}

void row_float(const Coefficients<float>& k, const float* now, const float* beta, float* next, int row,
               int plane, int count, bool streaming) {
    (streaming ? whole_row<float, true> : whole_row<float, false>)(k, now, beta, next, row, plane, count);
}

void row_double(const Coefficients<double>& k, const double* now, const double* beta, double* next, int row,
                int plane, int count, bool streaming) {
    (streaming ? whole_row<double, true> : whole_row<double, false>)(k, now, beta, next, row, plane, count);
}

}  // namespace gridmark::heat::GRIDMARK_ISA
