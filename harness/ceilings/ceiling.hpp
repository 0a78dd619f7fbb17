#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace gridmark::harness {

/// A limit of this machine as measured here: a row of `context.ceilings`.
struct Ceiling {
    std::string name;
    std::optional<double> value;
    std::string unit;    ///< GB/s (10^9 bytes), GFLOP/s or us
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

}  // namespace gridmark::harness
