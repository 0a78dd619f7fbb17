#include <omp.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/ceilings/large_array.hpp"
#include "harness/ceilings/measure.hpp"
#include "harness/machine/cpu.hpp"
#include "kernels/ceilings/cpu.hpp"

namespace gridmark::harness {
namespace {

using ceilings::CpuFma;

// About half a millisecond: where a machine is shared, long repetitions of all threads are never left alone
// together.
constexpr long iterations = 1 << 18;

// x = 0.5 x + 1 goes to 2 whatever the start: neither infinite nor denormal, and known.
double run(const CpuFma& fma, int threads) {
    double sum = 0;
    const double start = omp_get_wtime();
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    sum += fma.run(iterations, 0.5, 1);
    const double seconds = omp_get_wtime() - start;
    if (std::abs(sum - 2.0 * fma.lanes * fma.chains * threads) > 1e-3) {
        throw std::runtime_error("the multiply-adds gave a wrong value");
    }
    return seconds;
}

void measure_versions(Ceiling& ceiling, const std::vector<CpuFma>& versions, int threads,
                      Repetitions repetitions) {
    repetitions.budget_seconds /= static_cast<double>(versions.size());
    for (const CpuFma& fma : versions) {
        const Best best = best_of(repetitions, [&] { return run(fma, threads); });
        const double rate =
            fma.flops_per_iteration * static_cast<double>(iterations) * threads / best.seconds * 1e-9;
        if (ceiling.value && *ceiling.value >= rate) continue;
        ceiling.value = rate;
        ceiling.how = std::to_string(fma.chains) + " independent chains of multiply-adds in registers, " +
                      std::to_string(threads) + " thread" + (threads > 1 ? "s" : "") + ", " + fma.isa +
                      ", the fastest of " + std::to_string(versions.size()) + " instruction sets" +
                      best_text(best) + ", each about half a millisecond alone";
    }
}

}  // namespace

std::vector<Ceiling> measure_cpu_fma(int threads, const Repetitions& repetitions) {
    const auto one = [&](const char* name, const std::vector<CpuFma>& versions, int count) {
        return attempt(name, "GFLOP/s", "independent chains of multiply-adds in registers",
                       [&](Ceiling& ceiling) { measure_versions(ceiling, versions, count, repetitions); });
    };
    const auto floats = ceilings::cpu_fma_float();
    const auto doubles = ceilings::cpu_fma_double();
    return {one("cpu_fma_peak_float_one_thread", floats, 1),
            one("cpu_fma_peak_double_one_thread", doubles, 1),
            one("cpu_fma_peak_float_all_threads", floats, threads),
            one("cpu_fma_peak_double_all_threads", doubles, threads)};
}

namespace {

using TriadKernel = void (*)(double*, const double*, const double*, double, std::size_t);

constexpr double factor = 3;

// Each thread's part starts on a cache line, and for any number of threads the parts cover all.
struct Part {
    std::size_t begin, count;
    Part(std::size_t total, int thread, int threads) {
        constexpr std::size_t line = 8;
        const std::size_t lines = (total + line - 1) / line;
        const auto edge = [&](int t) {
            return std::min(total,
                            lines * static_cast<std::size_t>(t) / static_cast<std::size_t>(threads) * line);
        };
        begin = edge(thread);
        count = edge(thread + 1) - begin;
    }
};

struct Arrays {
    LargeArray<double> a, b, c;
    std::size_t count;
    int threads;

    Arrays(std::size_t n, int t) : a(n), b(n), c(n), count(n), threads(t) {
        // First touch by the threads that will use each part.
#pragma omp parallel num_threads(threads)
        {
            const Part part(count, omp_get_thread_num(), threads);
            for (std::size_t i = part.begin; i < part.begin + part.count; ++i) {
                a.data()[i] = 0;
                b.data()[i] = 1;
                c.data()[i] = 2;
            }
        }
    }

    double run(TriadKernel kernel) {
        const double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
        {
            const Part part(count, omp_get_thread_num(), threads);
            kernel(a.data() + part.begin, b.data() + part.begin, c.data() + part.begin, factor, part.count);
        }
        return omp_get_wtime() - start;
    }

    // A wrong answer must not become a ceiling; and who reads the answer keeps the compiler from dropping the
    // work.
    void check() {
        for (std::size_t i = 0; i < count; i += 4099) {
            if (a.data()[i] != 1 + factor * 2) throw std::runtime_error("the triad computed a wrong value");
        }
    }
};

// Four times the last-level cache for each array, as STREAM wants, within a quarter of the free memory and 1
// GiB each.
std::size_t array_bytes(std::int64_t cache) {
    constexpr std::int64_t largest = std::int64_t{1} << 30;
    const std::int64_t free = read_available_memory().value.value_or(std::int64_t{1} << 30);
    const std::int64_t wanted = std::max<std::int64_t>(4 * cache, std::int64_t{64} << 20);
    return static_cast<std::size_t>(std::min({wanted, largest, free / 12}));
}

void measure_triad(Ceiling& ceiling, int threads, std::int64_t cache, const Repetitions& repetitions) {
    const std::size_t count = array_bytes(cache) / sizeof(double);
    if (count < (std::size_t{1} << 20)) throw std::runtime_error("less than 96 MiB of memory are free");
    Arrays arrays(count, threads);
    const double gigabytes = ceilings::triad_bytes * static_cast<double>(count) * 1e-9;
    const Best ordinary = best_of(repetitions, [&] { return arrays.run(ceilings::triad); });
    arrays.check();
    const Best streaming = best_of(repetitions, [&] { return arrays.run(ceilings::triad_streaming); });
    arrays.check();
    const double with_ordinary = gigabytes / ordinary.seconds;
    const double with_streaming = gigabytes / streaming.seconds;
    ceiling.value = std::max(with_ordinary, with_streaming);
    const auto rounded = [](double rate) { return std::to_string(std::lround(rate)); };
    ceiling.how = "a = b + 3 c in double, " + std::to_string(threads) + " thread" + (threads > 1 ? "s" : "") +
                  ", three arrays of " + mebibytes(count * sizeof(double)) + " (last-level cache " +
                  mebibytes(static_cast<std::size_t>(cache)) +
                  "), 24 bytes an element: " + rounded(with_streaming) + " GB/s with streaming stores, " +
                  rounded(with_ordinary) + " with ordinary ones, which also read the line that they write" +
                  best_text(streaming) + " each";
}

}  // namespace

std::vector<Ceiling> measure_cpu_triad(int threads, const Repetitions& repetitions) {
    const CacheSizes caches = read_caches();
    const std::int64_t assumed = std::int64_t{32} << 20;  // where the system does not show its caches
    const std::int64_t one = caches.l3.value_or(caches.l2.value_or(assumed));
    const std::int64_t all = std::max(one, caches.l3_total.value_or(assumed));
    Repetitions half = repetitions;  // two kinds of store
    half.budget_seconds /= 2;
    const std::string how = "a = b + 3 c in double, three arrays larger than the caches, 24 bytes an element";
    return {attempt("cpu_triad_one_thread", "GB/s", how, [&](Ceiling& c) { measure_triad(c, 1, one, half); }),
            attempt("cpu_triad_all_threads", "GB/s", how,
                    [&](Ceiling& c) { measure_triad(c, threads, all, half); })};
}

}  // namespace gridmark::harness
