#pragma once

#include "kernels/ginzburg_landau/problem.hpp"
#include "kernels/isa.hpp"

namespace gridmark::ginzburg_landau {

/// One stage over arrays of `stride` u's followed by as many v's. With k the rate of `s`: sum = base + weight
/// k and, unless `stage` is null (the last stage), stage = now + step k. `sum` may be `base`.
template <class T>
struct Stage {
    const T *s, *now, *base;
    T *sum, *stage;
    int stride;
    T weight, step;
};

}  // namespace gridmark::ginzburg_landau

/// A stage for the points begin ... end - 1, once per instruction set (cpu_stage.cpp). Where `low` or `high`
/// is set, the first or last of them is an end of the domain, which stands for its missing neighbour; else
/// the neighbours outside the range are read. Call only what the CPU has.
#define GRIDMARK_DECLARE_STAGES(ISA)                                                                        \
    namespace gridmark::ginzburg_landau::ISA {                                                              \
    void stage_float(const Stage<float>& stage, const Coefficients<float>& c, int begin, int end, bool low, \
                     bool high);                                                                            \
    void stage_double(const Stage<double>& stage, const Coefficients<double>& c, int begin, int end,        \
                      bool low, bool high);                                                                 \
    }
GRIDMARK_FOR_EACH_ISA(GRIDMARK_DECLARE_STAGES)
#undef GRIDMARK_DECLARE_STAGES
