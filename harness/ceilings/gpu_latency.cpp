#include <string>

#include "harness/ceilings/measure.hpp"
#include "harness/gpu/step_clock.hpp"
#include "kernels/ceilings/latency.hpp"

namespace gridmark::harness {
namespace {

constexpr int launches = 1000;  // fewer than the driver queues
constexpr int syncs = 1000;

double microseconds_each(double seconds, int count) {
    return seconds / count * 1e6;
}

void measure_launch(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const auto stream = gpu.device->stream();
    const Best best = best_of(repetitions, [&] {
        return seconds_between_events(stream, [&] {
            for (int i = 0; i < launches; ++i)
                ceilings::launch_nothing(stream);
        });
    });
    ceiling.value = microseconds_each(best.seconds, launches);
    ceiling.how += best_text(best);
}

void measure_graph(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const auto stream = gpu.device->stream();
    GraphReplay graph(stream, [&] {
        for (int i = 0; i < launches; ++i)
            ceilings::launch_nothing(stream);
    });
    const Best best =
        best_of(repetitions, [&] { return seconds_between_events(stream, [&] { graph.replay(); }); });
    ceiling.value = microseconds_each(best.seconds, launches);
    ceiling.how += best_text(best);
}

void measure_sync(Ceiling& ceiling, const GpuUnderTest& gpu, const Repetitions& repetitions) {
    if (!gpu.properties.cooperative_launch) throw launch::Unavailable("this GPU has no cooperative launches");
    const auto stream = gpu.device->stream();
    const auto blocks = static_cast<unsigned>(gpu.properties.multiprocessors);
    launch::Buffer<int> out(*gpu.device, 1);
    const Best best = best_of(repetitions, [&] {
        return seconds_between_events(stream,
                                      [&] { ceilings::sync_grid(stream, blocks, syncs, out.data()); });
    });
    int done = 0;
    out.download({&done, 1});
    if (done != syncs) throw launch::Error("the kernel did not pass all barriers");
    ceiling.value = microseconds_each(best.seconds, syncs);
    ceiling.how += ", " + std::to_string(blocks) + " blocks of 256 threads" + best_text(best);
}

}  // namespace

std::vector<Ceiling> measure_gpu_latency(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const std::string count = std::to_string(launches);
    return {
        attempt_on(gpu, "gpu_launch", "us", count + " empty kernels launched back to back, per kernel",
                   [&](Ceiling& ceiling) { measure_launch(ceiling, gpu, repetitions); }),
        attempt_on(gpu, "gpu_graph_node", "us", "a graph of " + count + " empty kernels in a row, per kernel",
                   [&](Ceiling& ceiling) { measure_graph(ceiling, gpu, repetitions); }),
        attempt_on(gpu, "gpu_grid_sync", "us",
                   std::to_string(syncs) + " grid-wide barriers in one cooperative launch, per barrier",
                   [&](Ceiling& ceiling) { measure_sync(ceiling, gpu, repetitions); })};
}

}  // namespace gridmark::harness
