#include "harness/run/difference.hpp"

#include <algorithm>
#include <vector>

#include "harness/results/row.hpp"
#include "harness/run/parts.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// Differences within each process that measured both, and how many each gave.
struct Samples {
    std::vector<double> values;
    std::vector<std::size_t> launches;
};

Samples subtract(const json& minuend, const json& subtrahend) {
    const auto m = samples_of(minuend), s = samples_of(subtrahend);
    const auto m_launches = launches_of(minuend), s_launches = launches_of(subtrahend);
    Samples result;
    std::size_t at_m = 0, at_s = 0;
    for (std::size_t l = 0; l < std::min(m_launches.size(), s_launches.size()); ++l) {
        const std::size_t count = std::min(m_launches[l], s_launches[l]);
        for (std::size_t k = 0; k < count; ++k)
            result.values.push_back(m[at_m + k] - s[at_s + k]);
        result.launches.push_back(count);
        at_m += m_launches[l];
        at_s += s_launches[l];
    }
    return result;
}

}  // namespace

json difference_row(const std::string& experiment, const Difference& difference, const json* minuend,
                    const json* subtrahend, const Standards& standards) {
    const std::vector<Part> parts{{difference.minuend, minuend}, {difference.subtrahend, subtrahend}};
    if (const auto none = without_number(parts))
        return quantity_row(experiment, difference, none->status, none->reason);
    json result = quantity_row(experiment, difference, "ok", nullptr);
    const Samples samples = subtract(*minuend, *subtrahend);
    set_samples(result, samples.values);
    result["launches"] = samples.launches;
    result["verification"] = (*minuend)["verification"];
    finish_row(result, standards);
    inherit_estimate(result, parts);
    return result;
}

}  // namespace gridmark::harness
