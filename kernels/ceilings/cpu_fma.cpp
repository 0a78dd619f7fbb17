#include "kernels/ceilings/cpu.hpp"

#include "kernels/isa.hpp"

namespace gridmark::ceilings {
namespace {

template <class Version>
std::vector<Version> those_it_has(Version (*const (&versions)[isa_count])()) {
    std::vector<Version> found;
    for (const Isa isa : compiled_isas)
        if (has_isa(isa)) found.push_back(for_isa(isa, versions)());
    return found;
}

}  // namespace

std::vector<CpuFma> cpu_fma_float() {
    return those_it_has<CpuFma>(GRIDMARK_VERSIONS(fma_float));
}

std::vector<CpuFma> cpu_fma_double() {
    return those_it_has<CpuFma>(GRIDMARK_VERSIONS(fma_double));
}

std::vector<CpuCacheTriad> cpu_cache_triads() {
    return those_it_has<CpuCacheTriad>(GRIDMARK_VERSIONS(cache_triad));
}

}  // namespace gridmark::ceilings
