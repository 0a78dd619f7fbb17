#include "harness/run/parts.hpp"

#include <algorithm>

#include "harness/results/row.hpp"

namespace gridmark::harness {

std::optional<MissingReason> without_number(const std::vector<Part>& parts) {
    for (const auto& [name, row] : parts) {
        if (row == nullptr) return MissingReason{"skipped", name + " was not measured"};
        if (!is_measured(*row)) return MissingReason{(*row)["status"], (*row)["reason"]};
    }
    return std::nullopt;
}

void inherit_estimate(nlohmann::json& row, const std::vector<Part>& parts) {
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [](const Part& part) { return (*part.row)["status"] == "estimate"; });
    if (found == parts.end()) return;
    row["status"] = "estimate";
    row["reason"] = (*found->row)["reason"];
}

}  // namespace gridmark::harness
