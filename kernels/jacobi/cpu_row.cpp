// The inner loop of cpu_openmp, compiled once per instruction set (GRIDMARK_ISA names its namespace). Nothing
// is included here: a template shared with other files would leave its wide version in the baseline program.
namespace gridmark::jacobi::GRIDMARK_ISA {

template <class T>
static inline void segment(T a, T b, T c, const T* __restrict__ psi, const T* __restrict__ omega,
                           T* __restrict__ next, long nx, int begin, int end) {
#pragma omp simd
    for (int i = begin; i < end; ++i)
        next[i] = a * (psi[i + 1] + psi[i - 1]) + b * (psi[i + nx] + psi[i - nx]) + c * omega[i];
}

void segment_float(float a, float b, float c, const float* psi, const float* omega, float* next, long nx,
                   int begin, int end) {
    segment(a, b, c, psi, omega, next, nx, begin, end);
}

void segment_double(double a, double b, double c, const double* psi, const double* omega, double* next,
                    long nx, int begin, int end) {
    segment(a, b, c, psi, omega, next, nx, begin, end);
}

}  // namespace gridmark::jacobi::GRIDMARK_ISA
