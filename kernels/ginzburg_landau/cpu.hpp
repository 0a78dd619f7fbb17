#pragma once

#include <string_view>

#include "kernels/ginzburg_landau/problem.hpp"

/// The study's CPU versions. Each does `steps` steps; the state (2 n values) is in `now` before and after an
/// even number of them, in `next` after an odd number, and the other array holds what was before it.
namespace gridmark::ginzburg_landau {

/// Stage by stage, one thread; `scratch` is two states.
template <class T>
void cpu_serial(const Problem& problem, T* now, T* next, T* scratch, int steps);

/// The same shared by `threads` OpenMP threads, vectorised with the widest instruction set that the CPU has;
/// one barrier a stage.
template <class T>
void cpu_openmp(const Problem& problem, T* now, T* next, T* scratch, int steps, int threads);

/// What gpu_overlap8 does, on the CPU: a thread advances its part tile by tile, each with four points more at
/// either side, by a whole step in its L1 cache, and meets the others once a step.
template <class T>
void cpu_overlap(const Problem& problem, T* now, T* next, int steps, int threads);

/// A CPU version; one that is not `parallel` runs in one thread, whatever it is given.
template <class T>
struct CpuVariant {
    std::string_view name;
    bool parallel = true;
    int scratch_states = 2;
    void (*steps)(const Problem&, T* now, T* next, T* scratch, int steps, int threads);
};

template <class T>
inline constexpr CpuVariant<T> cpu_variants[]{
    {.name = "cpu_serial",
     .parallel = false,
     .steps = [](const Problem& p, T* now, T* next, T* scratch, int steps,
                 int) { cpu_serial(p, now, next, scratch, steps); }},
    {.name = "cpu_openmp", .steps = cpu_openmp<T>},
    {.name = "cpu_overlap",
     .scratch_states = 0,
     .steps = [](const Problem& p, T* now, T* next, T*, int steps,
                 int threads) { cpu_overlap(p, now, next, steps, threads); }},
};

/// Copies a state, every part by the thread that works on it in cpu_openmp and cpu_overlap: who writes a page
/// first decides in which processor's memory it lies.
template <class T>
void copy_state(const Problem& problem, const T* from, T* to, int threads);

}  // namespace gridmark::ginzburg_landau
