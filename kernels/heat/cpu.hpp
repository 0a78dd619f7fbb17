#pragma once

#include <optional>
#include <string_view>

#include "kernels/heat/blocking.hpp"
#include "kernels/heat/layout.hpp"
#include "kernels/heat/wavefront.hpp"
#include "kernels/isa.hpp"
#include "kernels/launch/variants.hpp"

/// The study's CPU versions. Each does a step (the last one several) as `reference_solve` states it, in T,
/// from `now` to `next` (both in the version's layout, halo filled in both), with `beta` as nx * ny * nz
/// interior values.
namespace gridmark::heat {

/// Three loops, z shared by `threads` OpenMP threads; compiled without vectorisation, as in 2013. Tight
/// layout. Source: thesis, section 4.6.3.
template <class T>
void cpu_naive(const Problem& problem, const T* now, const T* beta, T* next, int threads);

/// The same arithmetic in cache blocks: outer blocks one after another, their inner blocks shared by the
/// threads; compiled without vectorisation. Aligned layout. Source: thesis, sections 4.6.5 and 4.6.7.
template <class T>
void cpu_blocked(const Problem& problem, const T* now, const T* beta, T* next, const Blocking& blocking,
                 int threads);

/// The blocked loops with vector instructions: 16, 32 or 64 bytes at once. Aligned layout. Source: thesis,
/// section 4.6.6 for SSE; AVX is its own outlook.
template <class T>
void cpu_vector(Isa isa, const Problem& problem, const T* now, const T* beta, T* next,
                const Blocking& blocking, int threads);

/// `wavefront.steps` steps at once (cpu_wavefront.cpp tells how), also one: then a march like the blocked
/// one. A thread for each of `memory`, in which it keeps what is between the steps: give the same again.
/// Aligned layout.
template <class T>
void cpu_wavefront(Isa isa, const Problem& problem, const T* now, const T* beta, T* next,
                   const Wavefront& wavefront, std::vector<Storage<T>>& memory);

/// How a CPU version cuts the grid: not at all, into blocks, or into the tiles of a march (cpu_wavefront).
enum class CutKind { none, blocks, march };

struct CpuVariant {
    std::string_view name;
    launch::Origin origin;
    CutKind cut;
    /// The vectors that cpu_vector uses; without: cpu_naive, cpu_blocked, or for a march the widest.
    std::optional<Isa> isa = {};
    /// Time steps of a march on floats and on doubles: twice the bytes, half the tile.
    int steps_float = 1, steps_double = 1;

    constexpr int steps(std::size_t value_bytes) const {
        return value_bytes > 4 ? steps_double : steps_float;
    }
    /// Whether it is written with vectors: cpu_naive and cpu_blocked are compiled without.
    constexpr bool vectorised() const { return isa || cut == CutKind::march; }
    /// Why this CPU cannot run it; empty if it can.
    std::string_view unavailable_reason() const {
        return isa ? isa_missing_reason(*isa) : std::string_view{};
    }
};

inline constexpr CpuVariant cpu_variants[]{
    {.name = "cpu_naive", .origin = launch::Origin::published, .cut = CutKind::none},
    {.name = "cpu_blocked", .origin = launch::Origin::published, .cut = CutKind::blocks},
    {.name = "cpu_sse", .origin = launch::Origin::published, .cut = CutKind::blocks, .isa = Isa::sse},
    {.name = "cpu_avx2", .origin = launch::Origin::optimised, .cut = CutKind::blocks, .isa = Isa::avx2},
    {.name = "cpu_avx512", .origin = launch::Origin::optimised, .cut = CutKind::blocks, .isa = Isa::avx512},
    {.name = "cpu_march", .origin = launch::Origin::optimised, .cut = CutKind::march},
    {.name = "cpu_wavefront",
     .origin = launch::Origin::optimised,
     .cut = CutKind::march,
     .steps_float = 3,
     .steps_double = 2},
};

/// The version of that name, or nullptr.
inline const CpuVariant* find_cpu_variant(std::string_view name) {
    for (const CpuVariant& variant : cpu_variants)
        if (variant.name == name) return &variant;
    return nullptr;
}

}  // namespace gridmark::heat
