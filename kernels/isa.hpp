#pragma once

#include <string>

/// Instruction sets that a file is compiled for (gridmark_isa_sources); chosen while the program runs.
namespace gridmark {

/// Narrowest first.
enum class Isa { sse, avx2, avx512 };

/// Whether this CPU has it: AVX2 with FMA, AVX-512 F and VL.
inline bool has_isa(Isa isa) {
    if (isa == Isa::avx512) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    if (isa == Isa::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return true;
}

/// Of three versions of a function that for the widest set that this CPU has.
template <class Function>
Function for_widest_isa(Function sse, Function avx2, Function avx512) {
    return has_isa(Isa::avx512) ? avx512 : has_isa(Isa::avx2) ? avx2 : sse;
}

/// Its name: "avx512", "avx2" or "sse2".
inline std::string widest_isa() {
    return for_widest_isa("sse2", "avx2", "avx512");
}

}  // namespace gridmark
