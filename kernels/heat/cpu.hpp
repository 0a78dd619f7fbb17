#pragma once

#include <string_view>

#include "kernels/heat/blocking.hpp"
#include "kernels/heat/layout.hpp"
#include "kernels/heat/wavefront.hpp"
#include "kernels/isa.hpp"

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

}  // namespace gridmark::heat
