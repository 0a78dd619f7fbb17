#include "kernels/ceilings/cpu_fma.hpp"

#include <omp.h>

#include <cmath>
#include <stdexcept>

#include "harness/ceilings/measure.hpp"

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

}  // namespace gridmark::harness
