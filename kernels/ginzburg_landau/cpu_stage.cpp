// Stages of the CPU versions, compiled once per instruction set (GRIDMARK_ISA names its namespace).
// Everything it includes is inlined or of this namespace: an instance shared with other files would leave its
// wide version in the baseline program.
#include "kernels/ginzburg_landau/cpu_stage.hpp"
#include "kernels/ginzburg_landau/update.hpp"

namespace gridmark::ginzburg_landau::GRIDMARK_ISA {

template <class T, bool is_last>
static inline void point(const Stage<T>& st, const Coefficients<T>& c, int left, int i, int right) {
    const int n = st.stride;
    const Pair<T> k =
        rate(c, {st.s[left], st.s[n + left]}, {st.s[i], st.s[n + i]}, {st.s[right], st.s[n + right]});
    st.sum[i] = st.base[i] + st.weight * k.u;
    st.sum[n + i] = st.base[n + i] + st.weight * k.v;
    if (!is_last) {
        st.stage[i] = st.now[i] + st.step * k.u;
        st.stage[n + i] = st.now[n + i] + st.step * k.v;
    }
}

template <class T, bool is_last>
static inline void points(const Stage<T>& stage, const Coefficients<T>& c, int begin, int end, bool low,
                          bool high) {
    const Stage<T> st = stage;
    const int first = begin + low, last = end - high;
    if (low) point<T, is_last>(st, c, begin, begin, begin + 1);
#pragma omp simd
    for (int i = first; i < last; ++i)
        point<T, is_last>(st, c, i - 1, i, i + 1);
    if (high) point<T, is_last>(st, c, end - 2, end - 1, end - 1);
}

void stage_float(const Stage<float>& stage, const Coefficients<float>& c, int begin, int end, bool low,
                 bool high) {
    (stage.stage == nullptr ? points<float, true> : points<float, false>)(stage, c, begin, end, low, high);
}

void stage_double(const Stage<double>& stage, const Coefficients<double>& c, int begin, int end, bool low,
                  bool high) {
    (stage.stage == nullptr ? points<double, true> : points<double, false>)(stage, c, begin, end, low, high);
}

}  // namespace gridmark::ginzburg_landau::GRIDMARK_ISA
