#include "harness/results/spread.hpp"

#include <algorithm>
#include <stdexcept>

#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

/// Whether the host decides how long a step of a GPU takes, by its launches or by the link: by the model, and
/// where that says nothing, whenever the host launches each kernel.
bool is_bound_by_host(const Row& row) {
    if (!row.binding) return harness::value_of<std::string>(row.parameters, "launch", "") == "stream";
    return row.binding->ceiling == "gpu_launch" || row.binding->ceiling.starts_with("link_");
}

}  // namespace

TimeKind time_kind(const Row& row) {
    if (!row.is_time() || row.clock.empty()) return TimeKind::other;
    if (row.clock == "kernel") return TimeKind::kernel;
    if (row.clock == "wall") return TimeKind::wall;
    return is_bound_by_host(row) ? TimeKind::step_by_host : TimeKind::step;
}

double machine_reach(TimeKind kind) {
    switch (kind) {
        case TimeKind::kernel:
            return 0.01;
        case TimeKind::step:
            return 0.02;
        case TimeKind::step_by_host:
            return 0.29;
        case TimeKind::wall:
        case TimeKind::other:
            return 0;
    }
    throw std::logic_error("no such kind of time");
}

double machine_reach(const Row& row) {
    return row.samples.empty() ? 0 : machine_reach(time_kind(row));
}

double repeat_reach(const Row& row) {
    const auto medians = process_medians(row.values(), row.samples_by_process());
    const bool above_0 = std::all_of(medians.begin(), medians.end(), [](double m) { return m > 0; });
    const double machine = machine_reach(row);
    return medians.size() > 1 && above_0 ? std::max(machine, reach_of_a_process(medians, confidence))
                                         : machine;
}

}  // namespace gridmark::harness
