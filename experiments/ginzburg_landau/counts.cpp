#include "experiments/ginzburg_landau/counts.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "experiments/ginzburg_landau/stepper.hpp"
#include "kernels/ginzburg_landau/problem.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::ginzburg_landau {
namespace {

harness::Computed count_row(const std::string& variant, int n, int block, const std::string& quantity,
                            const std::string& unit, double (*value)(const std::string&, int, int)) {
    return {{.name = fmt::format("ginzburg_landau/{}/{}/double/block_{}/{}", variant, n, block, quantity),
             .variant = variant,
             .parameters = {{"n", n}, {"precision", "double"}, {"block", block}}},
            quantity,
            unit,
            [=] { return value(variant, n, block); }};
}

}  // namespace

double counted_launches(const std::string& variant, int n, int block) {
    const auto device = launch::host_device();
    const Problem p = medium(n);
    const auto stepper = gpu_stepper<double>(*device, p, variant, block);
    const auto start = random_state<double>(p, 1, 0.5);
    const int steps = 2 * stepper->steps_per_launch();
    stepper->start(start, start);
    const auto before = launch::host_launches(*device);
    stepper->steps(steps);
    return static_cast<double>(launch::host_launches(*device) - before) / steps;
}

double counted_synchronisations(const std::string& variant, int n, int block) {
    const auto device = launch::host_device();
    const Problem p = medium(n);
    const GpuVariant<double>& found = *find_gpu_variant<double>(launch::Executor::host, variant);
    const auto start = random_state<double>(p, 1, 0.5);
    const launch::Buffer<double> now(*device, std::span<const double>(start));
    launch::Buffer<double> next(*device, p.values()),
        scratch(*device, p.values() * static_cast<std::size_t>(found.scratch_states));
    device->fill_bytes(scratch.data(), 0, scratch.size() * sizeof(double));
    found.step(device->stream(), p, block, found.steps_per_launch.most, now.data(), next.data(),
               scratch.data());
    const double at_the_end = 1;
    return at_the_end + (found.meetings == nullptr ? 0 : *found.meetings(p, scratch.data()));
}

double segments_of_a_read(int n, int block) {
    constexpr long segment = 128, threads = 16, word = sizeof(double);
    long touched = 0, reads = 0;
    for (int k = 0; k < overlapping_blocks(n, block); ++k) {
        const long first = static_cast<long>(k) * (block - overlap), end = std::min<long>(n, first + block);
        for (long at = first; at < end; at += threads, ++reads)
            touched += (std::min(end, at + threads) * word - 1) / segment - at * word / segment + 1;
    }
    return static_cast<double>(touched) / static_cast<double>(reads);
}

void add_counts(harness::Plan& plan, int n, int block) {
    for (const char* variant : {"gpu_overlap8_listing", "gpu_overlap8", "gpu_relaunch", "gpu_grid_barrier"})
        plan.computed.push_back(count_row(variant, n, block, "launches", "a step", counted_launches));
    for (const char* variant : {"gpu_overlap8_listing", "gpu_relaunch", "gpu_grid_barrier"})
        plan.computed.push_back(
            count_row(variant, n, block, "synchronisations", "a launch", counted_synchronisations));
    plan.computed.push_back(count_row(
        "gpu_overlap8_listing", n, block, "segments", "a read of 16 threads",
        [](const std::string&, int points, int threads) { return segments_of_a_read(points, threads); }));
}

}  // namespace gridmark::ginzburg_landau
