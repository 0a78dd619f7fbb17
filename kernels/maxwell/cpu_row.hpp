#pragma once

#include "kernels/isa.hpp"

/// Rows of the CPU version, once per instruction set (cpu_row.cpp).
namespace gridmark::maxwell {

/// One component along a row. `b` and `a` are rows of the other field's components before(c) and next(c).
/// Their differences, high less low, are taken towards next(c) for b and towards before(c) for a.
template <class T>
struct Row {
    T* field;
    const T *b_low, *b_high, *a_low, *a_high;
    const T *eps_or_mu, *sigma;   ///< sigma: of E only
    const T* inverse_along;       ///< of the difference that runs along the row
    T inverse_a, inverse_b, dct;  ///< of those that do not
    int count;
};

/// Which of the two differences runs along the row.
enum class Along { neither, a, b };

}  // namespace gridmark::maxwell

#define GRIDMARK_DECLARE_ROWS(ISA)                \
    namespace gridmark::maxwell::ISA {            \
    void e_row_float(const Row<float>&, Along);   \
    void e_row_double(const Row<double>&, Along); \
    void h_row_float(const Row<float>&, Along);   \
    void h_row_double(const Row<double>&, Along); \
    }
GRIDMARK_FOR_EACH_ISA(GRIDMARK_DECLARE_ROWS)
#undef GRIDMARK_DECLARE_ROWS
