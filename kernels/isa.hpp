#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>
#if defined(__aarch64__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

/// Instruction sets that a file is compiled for (gridmark_isa_sources); chosen while the program runs.
namespace gridmark {

/// Those of x86-64, then those of aarch64, narrowest first.
enum class Isa { sse, avx2, avx512, neon, sve };

// Of what a file defines once for each set, in a namespace that the set names (cmake/GridmarkKernels.cmake):
// GRIDMARK_FOR_EACH_ISA(DO) declares it, GRIDMARK_VERSIONS(f) lists the versions of a function in the order
// of compiled_isas, and GRIDMARK_BASELINE is the set that every processor of the architecture has.
#if defined(__x86_64__)
#define GRIDMARK_FOR_EACH_ISA(DO) DO(sse2) DO(avx2) DO(avx512)
#define GRIDMARK_VERSIONS(function) \
    { sse2::function, avx2::function, avx512::function }
#define GRIDMARK_BASELINE sse2
inline constexpr Isa compiled_isas[] = {Isa::sse, Isa::avx2, Isa::avx512};
#elif defined(__aarch64__)
#define GRIDMARK_FOR_EACH_ISA(DO) DO(neon) DO(sve)
#define GRIDMARK_VERSIONS(function) \
    { neon::function, sve::function }
#define GRIDMARK_BASELINE neon
inline constexpr Isa compiled_isas[] = {Isa::neon, Isa::sve};
#else
#error "Gridmark is written for x86-64 and aarch64"
#endif
inline constexpr std::size_t isa_count = std::size(compiled_isas);

/// Whether this CPU has it: AVX2 with FMA, AVX-512 F and VL. No CPU has those of the other architecture.
inline bool has_isa(Isa isa) {
#if defined(__x86_64__)
    if (isa == Isa::avx512) return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
    if (isa == Isa::avx2) return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    return isa == Isa::sse;
#else
    if (isa == Isa::sve) return (getauxval(AT_HWCAP) & HWCAP_SVE) != 0;
    return isa == Isa::neon;
#endif
}

/// Why this CPU lacks it; empty if it does not.
inline std::string_view isa_missing_reason(Isa isa) {
    if (has_isa(isa)) return {};
#if defined(__aarch64__)
    if (isa < Isa::neon) return "an instruction set of x86-64; this CPU is an aarch64";
#else
    if (isa >= Isa::neon) return "an instruction set of aarch64; this CPU is an x86-64";
#endif
    if (isa == Isa::sve) return "this CPU has no SVE";
    return isa == Isa::avx512 ? "this CPU has no AVX-512 (F and VL)" : "this CPU has no AVX2 with FMA";
}

/// Of the versions of a function (GRIDMARK_VERSIONS) that of a set that is compiled here.
template <class Function>
Function for_isa(Isa isa, const Function (&versions)[isa_count]) {
    std::size_t at = 0;
    while (at + 1 < isa_count && compiled_isas[at] != isa)
        ++at;
    return versions[at];
}

/// The widest set that this CPU has.
inline Isa widest_isa() {
    Isa widest = compiled_isas[0];
    for (const Isa isa : compiled_isas)
        if (has_isa(isa)) widest = isa;
    return widest;
}

/// Of the versions of a function that for the widest set that this CPU has.
template <class Function>
Function for_widest_isa(const Function (&versions)[isa_count]) {
    return for_isa(widest_isa(), versions);
}

/// Orders streaming stores before what this thread stores after them.
inline void finish_streaming() {
#if defined(__x86_64__)
    __builtin_ia32_sfence();
#endif  // aarch64 orders them like any other store
}

/// "avx512".
inline const char* name_of(Isa isa) {
    static constexpr const char* names[] = {"sse2", "avx2", "avx512", "neon", "sve"};
    return names[static_cast<int>(isa)];
}

}  // namespace gridmark
