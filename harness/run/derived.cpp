#include "harness/run/derived.hpp"

#include <optional>
#include <vector>

#include "harness/run/parts.hpp"
#include "harness/run/rows.hpp"

namespace gridmark::harness {

using nlohmann::json;

json derived_row(const std::string& experiment, const Derived& derived,
                 const std::function<const json*(const std::string&)>& find) {
    std::vector<Part> parts;
    for (const std::string& name : derived.from)
        parts.push_back({name, find(name)});
    std::optional<MissingReason> none = without_number(parts);
    double value = 0;
    if (!none) {
        std::vector<double> medians;
        for (const Part& part : parts)
            medians.push_back((*part.row)["median"]);
        bool gpu_lost = false;  // arithmetic alone: no GPU is in it
        none = attempt([&] { value = finite(derived.value(medians)); }, gpu_lost);
    }
    if (none) return quantity_row(experiment, derived, none->status, none->reason);
    json row = quantity_row(experiment, derived, "ok", nullptr);
    row["median"] = value;
    inherit_estimate(row, parts);
    return row;
}

}  // namespace gridmark::harness
