#include <omp.h>

#include <algorithm>
#include <bit>
#include <stdexcept>

#include "harness/ceilings/large_array.hpp"
#include "harness/ceilings/measure.hpp"
#include "harness/machine/cpu.hpp"
#include "kernels/ceilings/chain.hpp"
#include "kernels/ceilings/cpu.hpp"

namespace gridmark::harness {
namespace {

using ceilings::Link;

std::string kibibytes(std::size_t bytes) {
    return bytes < (std::size_t{1} << 20U) ? std::to_string(bytes >> 10U) + " KiB" : mebibytes(bytes);
}

void measure_latency(Ceiling& ceiling, std::size_t bytes, const Repetitions& repetitions) {
    constexpr std::size_t line_bytes = ceilings::line_links * sizeof(Link);
    constexpr unsigned long hops = 1UL << 14U;
    const auto lines = static_cast<unsigned>(std::bit_floor(std::max(bytes / line_bytes, std::size_t{2})));
    LargeArray<Link> chain(std::size_t{lines} * ceilings::line_links);
    ceilings::lay_chain(chain.data(), lines);
    // Goes on where it ended, else a part that is in a nearer cache would be all that is walked.
    const Link* at = ceilings::follow(chain.data(), std::min<unsigned long>(lines, hops));
    const auto walk = [&] {
        const double start = omp_get_wtime();
        at = ceilings::follow(at, hops);
        const double seconds = omp_get_wtime() - start;
        if (at < chain.data()) throw std::runtime_error("a walk along a chain left it");
        return seconds;
    };
    const Best best = best_of(repetitions, walk);
    ceiling.value = best.seconds / static_cast<double>(hops) * 1e9;
    ceiling.how = "one thread walks through " + kibibytes(lines * line_bytes) +
                  " in scattered order, each load's address from the one before" + best_text(best);
}

/// `each`: bytes of one thread's three arrays.
void measure_bandwidth(Ceiling& ceiling, std::size_t each, int threads, Repetitions repetitions) {
    constexpr std::size_t multiple = 32;
    constexpr double factor = 3, bytes_a_repetition = 1 << 24;
    const std::size_t count = std::max(each / (3 * sizeof(double)) / multiple, std::size_t{1}) * multiple;
    const auto versions = ceilings::cpu_cache_triads();
    repetitions.budget_seconds /= static_cast<double>(versions.size());
    LargeArray<double> arrays(3 * count * static_cast<std::size_t>(threads));
    const auto part = [&](int thread) {
        return arrays.data() + 3 * count * static_cast<std::size_t>(thread);
    };
    const double bytes = ceilings::triad_bytes * static_cast<double>(count);
    const long passes = std::max(1L, static_cast<long>(bytes_a_repetition / bytes));
#pragma omp parallel num_threads(threads)
    {
        double* const mine = part(omp_get_thread_num());
        for (std::size_t i = 0; i < count; ++i)
            mine[i] = 0, mine[count + i] = 1, mine[2 * count + i] = 2;
    }
    for (const ceilings::CpuCacheTriad& triad : versions) {
        const Best best = best_of(repetitions, [&] {
            const double start = omp_get_wtime();
#pragma omp parallel num_threads(threads)
            {
                double* const a = part(omp_get_thread_num());
                triad.run(a, a + count, a + 2 * count, factor, count, passes);
            }
            return omp_get_wtime() - start;
        });
        for (int t = 0; t < threads; ++t)
            if (part(t)[count - 1] != 1 + factor * 2)
                throw std::runtime_error("the triad computed a wrong value");
        const double rate = bytes * static_cast<double>(passes) * threads / best.seconds * 1e-9;
        if (ceiling.value && *ceiling.value >= rate) continue;
        ceiling.value = rate;
        ceiling.how = "a = b + 3 c in double, again and again, " + std::to_string(threads) + " thread" +
                      (threads > 1 ? "s" : "") + ", three arrays of " + kibibytes(count * sizeof(double)) +
                      " a thread, " + triad.isa + ", the fastest of " + std::to_string(versions.size()) +
                      " instruction sets" + best_text(best);
    }
}

void measure_barrier(Ceiling& ceiling, int threads, const Repetitions& repetitions) {
    constexpr int barriers = 1000;
    const Best best = best_of(repetitions, [&] {
        double seconds = 0;
#pragma omp parallel num_threads(threads)
        {
#pragma omp barrier
            const double start = omp_get_wtime();
            for (int i = 0; i < barriers; ++i) {
#pragma omp barrier
            }
#pragma omp master
            seconds = omp_get_wtime() - start;
        }
        return seconds;
    });
    ceiling.value = best.seconds / barriers * 1e6;
    ceiling.how += ", " + std::to_string(threads) + " thread" + (threads > 1 ? "s" : "") + best_text(best);
}

std::size_t known(const std::optional<std::int64_t>& bytes) {
    if (!bytes) throw std::runtime_error("the system does not say how large this cache is");
    return static_cast<std::size_t>(*bytes);
}

}  // namespace

std::vector<Ceiling> measure_cpu_caches(int threads, const Repetitions& repetitions) {
    const CacheSizes caches = read_caches();
    std::vector<Ceiling> all;
    const auto latency = [&](const char* name, auto bytes) {
        all.push_back(attempt(name, "ns", "one thread walks along a chain in scattered order",
                              [&](Ceiling& c) { measure_latency(c, bytes(), repetitions); }));
    };
    latency("cpu_l1_latency", [&] { return known(caches.l1d) / 2; });
    latency("cpu_l2_latency", [&] { return known(caches.l2) / 2; });
    latency("cpu_l3_latency", [&] { return known(caches.l3) / 2; });
    latency("cpu_memory_latency", [&] {
        // Four times the last cache, within a twelfth of what is free and 512 MiB.
        const std::int64_t last = caches.l3.value_or(caches.l2.value_or(std::int64_t{32} << 20));
        const std::int64_t free = read_available_memory().value.value_or(std::int64_t{1} << 30);
        return static_cast<std::size_t>(std::min({4 * last, free / 12, std::int64_t{512} << 20}));
    });
    // A quarter of a core's caches, for two threads may share them; half of the threads' share of the L3.
    const auto bandwidth = [&](const char* name, bool together,
                               std::size_t (*bytes)(const CacheSizes&, int)) {
        const int count = together ? threads : 1;
        all.push_back(attempt(std::string(name) + (together ? "_all_threads" : "_one_thread"), "GB/s",
                              "a = b + 3 c in double on arrays that stay in the cache", [&](Ceiling& c) {
                                  measure_bandwidth(c, bytes(caches, count), count, repetitions);
                              }));
    };
    for (const bool together : {false, true}) {
        bandwidth("cpu_l1_bandwidth", together, [](const CacheSizes& c, int) { return known(c.l1d) / 4; });
        bandwidth("cpu_l2_bandwidth", together, [](const CacheSizes& c, int) { return known(c.l2) / 4; });
        bandwidth("cpu_l3_bandwidth", together, [](const CacheSizes& c, int count) {
            return std::min(known(c.l3), known(c.l3_total) / static_cast<std::size_t>(count)) / 2;
        });
    }
    all.push_back(attempt("cpu_barrier_all_threads", "us", "barriers of OpenMP in a row",
                          [&](Ceiling& c) { measure_barrier(c, threads, repetitions); }));
    return all;
}

}  // namespace gridmark::harness
