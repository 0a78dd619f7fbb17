#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "kernels/launch/device.hpp"

namespace gridmark::harness {

/// A limit of this machine as measured here: a row of `context.ceilings`.
struct Ceiling {
    std::string name;
    std::optional<double> value;
    std::string unit;    ///< GB/s (10^9 bytes), GFLOP/s, Ginstructions/s (of a warp), us or ns
    std::string reason;  ///< why there is no value; empty where there is one
    std::string how;     ///< what was run, and which of how many repetitions counts
};

/// The form that the result schema wants.
inline void to_json(nlohmann::json& json, const Ceiling& ceiling) {
    json = {{"name", ceiling.name},
            {"value", nullptr},
            {"unit", ceiling.unit},
            {"reason", nullptr},
            {"how", ceiling.how}};
    if (ceiling.value)
        json["value"] = *ceiling.value;
    else
        json["reason"] = ceiling.reason;
}

struct CeilingOptions {
    int threads = 1;  ///< for the ceilings of all threads
    launch::Device* gpu =
        nullptr;                ///< null or the host executor: GPU ceilings have a reason in place of a value
    double budget_seconds = 8;  ///< for repetitions beyond the fewest; set-up comes on top
    bool quick = false;         ///< spend no more than one second on repetitions
};

/// Measures every ceiling of the machine: always the same names, once each, in a fixed order; those that
/// cannot be measured here hold the reason. Unless it is to be quick, the CPU's twice, before and after the
/// GPU's, of which the better counts. Takes seconds and up to a quarter of the free memory.
std::vector<Ceiling> measure_ceilings(const CeilingOptions& options);

/// What a load from the L1 cache takes a core here, in ns. A few milliseconds: for forecasts, not for
/// results.
double quick_l1_latency();

}  // namespace gridmark::harness
