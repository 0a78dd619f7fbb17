#include "harness/results/spread.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

/// Whether another machine's host might decide how long a step of a GPU takes: where launches, link and the
/// host's own work take at least half as long by their ceilings, for hosts launch up to twice as slowly as
/// these say. Of a row whose launches are not known, whenever the host launches each kernel.
bool is_up_to_host(const Row& row) {
    if (!row.by_host) return harness::value_of<std::string>(row.parameters, "launch", "") == "stream";
    return 2 * *row.by_host >= *row.median;
}

}  // namespace

TimeKind time_kind(const Row& row) {
    if (row.machines_differ_by) return TimeKind::difference;
    if (!row.is_time() || row.clock.empty()) return TimeKind::other;
    if (row.clock == "kernel") return TimeKind::kernel;
    if (row.clock == "wall") return TimeKind::wall;
    return is_up_to_host(row) ? TimeKind::step_by_host : TimeKind::step;
}

double machine_reach(TimeKind kind) {
    switch (kind) {
        case TimeKind::kernel:
            return 0.01;
        case TimeKind::step:
            return 0.02;
        case TimeKind::step_by_host:
            return 0.315;
        case TimeKind::difference:  // by its two times
        case TimeKind::wall:
        case TimeKind::other:
            return 0;
    }
    throw std::logic_error("no such kind of time");
}

double machine_reach(const Row& row) {
    if (row.machines_differ_by && *row.median > 0) return std::log1p(*row.machines_differ_by / *row.median);
    return row.samples.empty() ? 0 : machine_reach(time_kind(row));
}

double machines_of_difference(const Row& minuend, const Row& subtrahend) {
    return std::hypot(machine_reach(minuend) * *minuend.median,
                      machine_reach(subtrahend) * *subtrahend.median);
}

double repeat_reach(const Row& row) {
    const auto medians = process_medians(row.values(), row.samples_by_process());
    const bool above_0 = std::all_of(medians.begin(), medians.end(), [](double m) { return m > 0; });
    const double machine = machine_reach(row);
    return medians.size() > 1 && above_0 ? std::max(machine, reach_of_a_process(medians, confidence))
                                         : machine;
}

}  // namespace gridmark::harness
