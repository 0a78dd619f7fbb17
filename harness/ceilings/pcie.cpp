#include "harness/ceilings/measure.hpp"
#include "harness/ceilings/pcie_transfer.hpp"

namespace gridmark::harness {

std::vector<Ceiling> measure_pcie(const GpuUnderTest& gpu, const Repetitions& repetitions) {
    const auto measure = [&](const char* name, PcieRoute route) {
        // Enough for the start to be little; pageable transfers are slower and so need less.
        const std::size_t mebibytes = route.pinned ? 128 : 64;
        const bool both = route.up && route.down;
        const std::string how = std::to_string(mebibytes) + " MiB of " +
                                (route.pinned ? "pinned" : "pageable") + " host memory " +
                                (both       ? "each way at once in two streams, both counted"
                                 : route.up ? "to the GPU"
                                            : "from the GPU");
        return attempt_on(gpu, name, "GB/s", how, [&](Ceiling& ceiling) {
            const std::size_t bytes = mebibytes << 20U;
            PcieTransfer transfer(*gpu.device, route, bytes);
            const Best best = best_of(repetitions, [&] { return transfer.seconds(); });
            ceiling.value = static_cast<double>(bytes) * (both ? 2 : 1) / best.seconds * 1e-9;
            ceiling.how += best_text(best);
        });
    };
    return {measure("pcie_up_pinned", {.up = true, .pinned = true}),
            measure("pcie_down_pinned", {.down = true, .pinned = true}),
            measure("pcie_both_pinned", {.up = true, .down = true, .pinned = true}),
            measure("pcie_up_pageable", {.up = true}), measure("pcie_down_pageable", {.down = true})};
}

}  // namespace gridmark::harness
