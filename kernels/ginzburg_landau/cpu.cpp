#include "kernels/ginzburg_landau/cpu.hpp"

#include <omp.h>

#include <algorithm>
#include <utility>

#include "kernels/ginzburg_landau/cpu_stage.hpp"
#include "kernels/isa.hpp"
#include "kernels/precision.hpp"

namespace gridmark::ginzburg_landau {
namespace {

template <class T>
using Points = void (*)(const Stage<T>&, const Coefficients<T>&, int, int, bool, bool);

template <class T>
Points<T> widest() {
    return for_precision<T>(for_widest_isa(GRIDMARK_VERSIONS(stage_float)),
                            for_widest_isa(GRIDMARK_VERSIONS(stage_double)));
}

/// The four stages of a step: what each reads, writes and weighs with.
template <class T>
struct Step {
    Stage<T> stages[4];

    Step(const Weights<T>& w, const T* now, T* next, T* one, T* other, int stride)
        : stages{{now, now, now, next, one, stride, w.sixth, w.half},
                 {one, now, next, next, other, stride, w.third, w.half},
                 {other, now, next, next, one, stride, w.third, w.whole},
                 {one, now, next, next, nullptr, stride, w.sixth, T{0}}} {}
};

/// A thread's part of n points: a begin and an end, whole cache lines but for the last.
struct Part {
    int begin, end;
};
Part part_of(int n, int thread, int threads) {
    constexpr int line = 16;
    const int lines = (n + line - 1) / line;
    const auto edge = [&](int t) {
        return std::min(n, static_cast<int>(static_cast<long long>(lines) * t / threads) * line);
    };
    return {edge(thread), edge(thread + 1)};
}

template <class T>
void staged(const Problem& p, T* now, T* next, T* scratch, int steps, int threads, Points<T> points) {
    const auto c = coefficients<T>(p);
    const auto w = weights<T>(p);
#pragma omp parallel num_threads(threads)
    {
        const Part part = part_of(p.n, omp_get_thread_num(), omp_get_num_threads());
        T *from = now, *to = next;
        for (int s = 0; s < steps; ++s, std::swap(from, to)) {
            const Step<T> step(w, from, to, scratch, scratch + p.values(), p.n);
            for (const Stage<T>& stage : step.stages) {
                if (part.begin < part.end)
                    points(stage, c, part.begin, part.end, part.begin == 0, part.end == p.n);
#pragma omp barrier
            }
        }
    }
}

}  // namespace

template <class T>
void cpu_serial(const Problem& p, T* now, T* next, T* scratch, int steps) {
    staged<T>(p, now, next, scratch, steps, 1,
              for_precision<T>(GRIDMARK_BASELINE::stage_float, GRIDMARK_BASELINE::stage_double));
}

template <class T>
void cpu_openmp(const Problem& p, T* now, T* next, T* scratch, int steps, int threads) {
    staged<T>(p, now, next, scratch, steps, threads, widest<T>());
}

template <class T>
void cpu_overlap(const Problem& p, T* now, T* next, int steps, int threads) {
    const auto c = coefficients<T>(p);
    const auto w = weights<T>(p);
    const Points<T> points = widest<T>();
    const std::size_t n = p.n;
    // Four stages lose four points a side. A tile loads two cache lines more at either side and computes one
    // of them, so that vectors stay aligned; what is wrong of it, from its outer edge inwards, is not
    // written.
    constexpr int line = 64 / sizeof(T), tile = 2048 / sizeof(T), longest = tile + 4 * line;
    static_assert(line >= 4);
#pragma omp parallel num_threads(threads)
    {
        const Part part = part_of(p.n, omp_get_thread_num(), omp_get_num_threads());
        alignas(64) T own[8 * longest] = {};  // 20 KB, within any L1
        T *const y = own, *const sum = y + 2 * longest, *const one = sum + 2 * longest,
                 *const other = one + 2 * longest;
        const Step<T> step(w, y, sum, one, other, longest);
        T *from = now, *to = next;
        for (int s = 0; s < steps; ++s, std::swap(from, to)) {
            for (int at = part.begin; at < part.end; at += tile) {
                const int until = std::min(at + tile, part.end), first = std::max(0, at - 2 * line),
                          last = std::min(p.n, until + 2 * line), size = last - first;
                const bool low = first == 0, high = last == p.n;
                for (const std::size_t half : {std::size_t{0}, n})
                    std::copy_n(from + half + first, size, half == 0 ? y : y + longest);
                for (const Stage<T>& stage : step.stages)
                    points(stage, c, low ? 0 : line, high ? size : size - line, low, high);
                for (const std::size_t half : {std::size_t{0}, n})
                    std::copy_n((half == 0 ? sum : sum + longest) + (at - first), until - at, to + half + at);
            }
#pragma omp barrier
        }
    }
}

template <class T>
void copy_state(const Problem& p, const T* from, T* to, int threads) {
#pragma omp parallel num_threads(threads)
    {
        const Part part = part_of(p.n, omp_get_thread_num(), omp_get_num_threads());
        for (const std::size_t half : {std::size_t{0}, static_cast<std::size_t>(p.n)})
            std::copy(from + half + part.begin, from + half + part.end, to + half + part.begin);
    }
}

#define GRIDMARK_INSTANTIATE(T)                                     \
    template void cpu_serial(const Problem&, T*, T*, T*, int);      \
    template void cpu_openmp(const Problem&, T*, T*, T*, int, int); \
    template void cpu_overlap(const Problem&, T*, T*, int, int);    \
    template void copy_state(const Problem&, const T*, T*, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::ginzburg_landau
