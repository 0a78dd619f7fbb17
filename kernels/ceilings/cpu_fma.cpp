#include "kernels/ceilings/cpu.hpp"

#include "kernels/isa.hpp"

namespace gridmark::ceilings {
namespace {

using Version = CpuFma (*)();

std::vector<CpuFma> those_it_has(const Version (&versions)[isa_count]) {
    std::vector<CpuFma> found;
    for (const Isa isa : compiled_isas)
        if (has_isa(isa)) found.push_back(for_isa(isa, versions)());
    return found;
}

}  // namespace

std::vector<CpuFma> cpu_fma_float() {
    return those_it_has(GRIDMARK_VERSIONS(fma_float));
}

std::vector<CpuFma> cpu_fma_double() {
    return those_it_has(GRIDMARK_VERSIONS(fma_double));
}

}  // namespace gridmark::ceilings
