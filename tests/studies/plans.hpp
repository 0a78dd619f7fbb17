#pragma once

#include <memory>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/run/rows.hpp"
#include "kernels/launch/make_device.hpp"

/// What every study plans, on a machine that has all that one can ask for. Nothing of it is run.
namespace gridmark::studies_tests {

using harness::json_of;
using nlohmann::json;

/// All studies of the program.
inline std::vector<std::string> ids() {
    std::vector<std::string> result;
    for (const auto& [id, experiment] : harness::experiments())
        result.push_back(id);
    return result;
}

constexpr std::size_t plenty = std::size_t{1} << 50;

/// The plan of a preset; the host stands in for a GPU.
inline harness::Plan planned(const harness::Experiment& experiment, harness::Preset preset,
                             int threads = 16) {
    static const auto device = launch::host_device();
    return harness::planned_here(experiment, {preset, threads, 1, device.get(), "", plenty, plenty, {}});
}

/// The same with peers. None is started.
inline harness::Plan planned_with_peers(const harness::Experiment& experiment, harness::Preset preset) {
    static const auto device = launch::host_device();
    return harness::planned_here(
        experiment,
        {preset, 16, 1, device.get(), "", plenty, plenty, {}, 0, {.program = "none", .patience = 1}});
}

/// The plan's rows, all measured.
inline std::vector<harness::Row> rows_of(const std::string& id, const harness::Plan& plan) {
    std::vector<harness::Row> rows = harness::blank_rows(id, plan);
    for (harness::Row& row : rows)
        row.status = harness::Status::ok;
    return rows;
}

}  // namespace gridmark::studies_tests
