// Pairs of planes of cpu_wavefront, compiled once per instruction set; what cpu_row.cpp says of templates
// holds here too.
#include "kernels/heat/cpu_row.hpp"
#include "kernels/heat/vector.hpp"

namespace gridmark::heat::GRIDMARK_ISA {

template <bool given, bool kept, bool streaming, class T>
static inline void rows_of(const Coefficients<T>& k, const PlanePair<T>& pair, int begin, int end) {
    const auto wide = each_as<Vector<T>>(k);
    const auto single = each_as<One<T>>(k);
    for (int y = begin; y < end; ++y) {
        const std::ptrdiff_t row = y - pair.first;
        const int done = update_pair_row<Vector<T>, given, kept, streaming>(wide, pair, row, 0);
        update_pair_row<One<T>, given, kept, false>(single, pair, row, done);
    }
}

template <class T>
static inline void pair_of(const Coefficients<T>& k, const PlanePair<T>& pair, int begin, int end) {
    const auto rows =
        !pair.is_given   ? pair.is_streamed ? rows_of<false, false, true, T> : rows_of<false, false, false, T>
          : pair.scaled[0] ? rows_of<true, true, false, T>
        : pair.is_streamed ? rows_of<true, false, true, T>
                           : rows_of<true, false, false, T>;
    rows(k, pair, begin, end);
}

void pair_float(const Coefficients<float>& k, const PlanePair<float>& pair, int begin, int end) {
    pair_of(k, pair, begin, end);
}

void pair_double(const Coefficients<double>& k, const PlanePair<double>& pair, int begin, int end) {
    pair_of(k, pair, begin, end);
}

}  // namespace gridmark::heat::GRIDMARK_ISA
