#include <omp.h>
#include <sys/mman.h>
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>

#include "harness/ceilings/measure.hpp"
#include "harness/machine/cpu.hpp"
#include "harness/os/limits.hpp"
#include "kernels/ceilings/chain.hpp"
#include "kernels/ceilings/cpu.hpp"

namespace gridmark::harness {
namespace {

/// An array that no page stands behind yet, so that the thread that first writes an element decides where it
/// lies; huge pages where the system gives them, else page tables take a share of the bandwidth.
template <class T>
class LargeArray {
  public:
    explicit LargeArray(std::size_t count) {
        const std::size_t bytes = (count * sizeof(T) + alignment - 1) / alignment * alignment;
        data_.reset(static_cast<T*>(std::aligned_alloc(alignment, bytes)));
        if (data_ == nullptr) throw std::bad_alloc();
        (void)madvise(data_.get(), bytes, MADV_HUGEPAGE);  // a wish
    }

    T* data() { return data_.get(); }

  private:
    static constexpr std::size_t alignment = std::size_t{2} << 20;
    struct Free {
        void operator()(T* memory) const { std::free(memory); }
    };
    std::unique_ptr<T, Free> data_;
};

}  // namespace

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
            best.billions_a_second(fma.flops_per_iteration * static_cast<double>(iterations) * threads);
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
    const double bytes = ceilings::triad_bytes * static_cast<double>(count);
    const Best ordinary = best_of(repetitions, [&] { return arrays.run(ceilings::triad); });
    arrays.check();
    const Best streaming = best_of(repetitions, [&] { return arrays.run(ceilings::triad_streaming); });
    arrays.check();
    const double with_ordinary = ordinary.billions_a_second(bytes);
    const double with_streaming = streaming.billions_a_second(bytes);
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
    constexpr double factor = 3, bytes_a_repetition = 1 << 26;
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
        // Between two barriers: waking the threads takes longer than what they do in the L1.
        const Best best = best_of(repetitions, [&] {
            double seconds = 0;
#pragma omp parallel num_threads(threads)
            {
                double* const a = part(omp_get_thread_num());
#pragma omp barrier
                const double start = omp_get_wtime();
                triad.run(a, a + count, a + 2 * count, factor, count, passes);
#pragma omp barrier
#pragma omp master
                seconds = omp_get_wtime() - start;
            }
            return seconds;
        });
        for (int t = 0; t < threads; ++t)
            if (part(t)[count - 1] != 1 + factor * 2)
                throw std::runtime_error("the triad computed a wrong value");
        const double rate = best.billions_a_second(bytes * static_cast<double>(passes) * threads);
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

double quick_l1_latency() {
    Ceiling latency;
    measure_latency(latency, std::size_t{16} << 10U, {.fewest = 50, .most = 50});
    return *latency.value;
}

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
