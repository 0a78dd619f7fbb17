#include <algorithm>
#include <map>
#include <string>

#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

std::optional<double> cores_worth(const json& context) {
    std::map<std::string, double> rates;
    for (const json& ceiling : context.value("ceilings", json::array()))
        if (ceiling.contains("value") && ceiling["value"].is_number())
            rates[ceiling["name"].get<std::string>()] = ceiling["value"];
    std::optional<double> worth;
    for (const std::string precision : {"float", "double"}) {
        const auto all = rates.find("cpu_fma_peak_" + precision + "_all_threads"),
                   one = rates.find("cpu_fma_peak_" + precision + "_one_thread");
        if (all != rates.end() && one != rates.end() && one->second > 0)
            worth = std::max(worth.value_or(0), all->second / one->second);
    }
    return worth;
}

}  // namespace

Conditions conditions_of(const json& context) {
    return {cores_worth(context), context.value("hot_refilled", false)};
}

}  // namespace gridmark::harness
