#include "kernels/ceilings/gpu_fma.hpp"

#include <cmath>

#include "harness/ceilings/measure.hpp"
#include "harness/gpu/step_clock.hpp"

namespace gridmark::harness {
namespace {

constexpr int rounds = 16384;  // about a millisecond in float

template <class T, class Run>
void measure_type(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions, Run run) {
    const unsigned blocks = 8 * static_cast<unsigned>(gpu.properties.multiprocessors);
    launch::Buffer<T> out(*gpu.device, std::size_t{blocks} * ceilings::gpu_fma_threads);
    const auto stream = gpu.device->stream();
    // x = 0.5 x + 1 goes to 2 whatever the start.
    const Best best = best_of(repetitions, [&] {
        return seconds_between_events(stream, [&] { run(stream, blocks, rounds, T{0.5}, T{1}, out.data()); });
    });
    std::vector<T> sums(out.size());
    out.download(sums);
    for (const T sum : sums) {
        if (std::abs(sum - T{2} * ceilings::gpu_fma_chains) > T{1e-3}) {
            throw launch::Error("the multiply-adds gave a wrong value");
        }
    }
    ceiling.value = ceilings::gpu_fma_flops(blocks, rounds) / best.seconds * 1e-9;
    ceiling.how += ", " + std::to_string(blocks) + " blocks of " + std::to_string(ceilings::gpu_fma_threads) +
                   " threads" + best_text(best);
}

}  // namespace

std::vector<Ceiling> measure_gpu_fma(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const std::string how = std::to_string(ceilings::gpu_fma_chains) +
                            " independent chains of multiply-adds a thread in registers, no tensor cores";
    return {attempt_on(gpu, "gpu_fma_peak_float", "GFLOP/s", how,
                       [&](Ceiling& ceiling) {
                           measure_type<float>(ceiling, gpu, repetitions, ceilings::fma_float);
                       }),
            attempt_on(gpu, "gpu_fma_peak_double", "GFLOP/s", how, [&](Ceiling& ceiling) {
                measure_type<double>(ceiling, gpu, repetitions, ceilings::fma_double);
            })};
}

}  // namespace gridmark::harness
