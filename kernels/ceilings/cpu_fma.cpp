#include "kernels/ceilings/cpu_fma.hpp"

#include "kernels/ceilings/cpu_fma_versions.hpp"
#include "kernels/isa.hpp"

namespace gridmark::ceilings {
namespace {

std::vector<CpuFma> those_it_has(CpuFma (*sse2)(), CpuFma (*avx2)(), CpuFma (*avx512)()) {
    std::vector<CpuFma> versions{sse2()};
    if (has_isa(Isa::avx2)) versions.push_back(avx2());
    if (has_isa(Isa::avx512)) versions.push_back(avx512());
    return versions;
}

}  // namespace

std::vector<CpuFma> cpu_fma_float() {
    return those_it_has(sse2::fma_float, avx2::fma_float, avx512::fma_float);
}

std::vector<CpuFma> cpu_fma_double() {
    return those_it_has(sse2::fma_double, avx2::fma_double, avx512::fma_double);
}

}  // namespace gridmark::ceilings
