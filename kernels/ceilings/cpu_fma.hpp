#pragma once

#include <vector>

// Chains of multiply-adds in registers: the most arithmetic that one core does.
namespace gridmark::ceilings {

/// One instruction set's version for one type. `run(n, factor, term)` starts every lane of every chain k at
/// k, applies x = x * factor + term n times, and returns the sum of all lanes; that is flops_per_iteration *
/// n operations.
struct CpuFma {
    const char* isa;  ///< avx512f, avx2 (with fma) or the baseline
    double flops_per_iteration;
    int lanes;  ///< of a register
    int chains;
    double (*run)(long iterations, double factor, double term);
};

/// The versions that this processor can execute; never empty. The last is the widest.
std::vector<CpuFma> cpu_fma_float();
std::vector<CpuFma> cpu_fma_double();

}  // namespace gridmark::ceilings
