#include "kernels/ceilings/cpu_fma.hpp"

#include "kernels/ceilings/cpu_fma_versions.hpp"

namespace gridmark::ceilings {
namespace {

// __builtin_cpu_supports asks the processor and whether the system saves its registers.
bool has_avx2() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
    return false;
#endif
}

bool has_avx512() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f");
#else
    return false;
#endif
}

}  // namespace

std::vector<CpuFma> cpu_fma_float() {
    std::vector<CpuFma> versions{baseline::fma_float()};
#if defined(__x86_64__)
    if (has_avx2()) versions.push_back(avx2::fma_float());
    if (has_avx512()) versions.push_back(avx512::fma_float());
#endif
    return versions;
}

std::vector<CpuFma> cpu_fma_double() {
    std::vector<CpuFma> versions{baseline::fma_double()};
#if defined(__x86_64__)
    if (has_avx2()) versions.push_back(avx2::fma_double());
    if (has_avx512()) versions.push_back(avx512::fma_double());
#endif
    return versions;
}

}  // namespace gridmark::ceilings
