#include <fmt/format.h>

#include <algorithm>

#include "harness/results/spread.hpp"
#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {

using nlohmann::json;

std::string tally_words(const std::vector<json>& decided) {
    const auto counted = [&](const json& claim) {
        return std::none_of(decided.begin(), decided.end(), [&](const json& other) {
            return other["id"] == claim["counts_with"] && other["experiment"] == claim["experiment"] &&
                   other["verdict"] == claim["verdict"];
        });
    };
    std::string words;
    for (const bool anywhere : {false, true}) {
        std::string counts;
        for (const Verdict verdict : {Verdict::reproduced, Verdict::trend_only, Verdict::not_reproduced,
                                      Verdict::inconclusive, Verdict::not_run}) {
            const auto n = std::count_if(decided.begin(), decided.end(), [&](const json& claim) {
                return claim["holds_anywhere"] == anywhere && claim["verdict"] == to_string(verdict) &&
                       counted(claim);
            });
            if (n > 0) counts += fmt::format("{}{} {}", counts.empty() ? "" : ", ", n, to_string(verdict));
        }
        if (counts.empty()) continue;
        words += (words.empty() ? "" : "; ") + (anywhere ? "on any machine " + counts : counts);
    }
    return words;
}

std::string chance_words(const std::vector<json>& decided) {
    const auto intervals = std::count_if(decided.begin(), decided.end(), [](const json& claim) {
        const json& i = claim["interval"];
        return i.is_array() && i[0] < i[1];
    });
    const double miss = (1 - confidence) * static_cast<double>(intervals);
    if (miss < 0.5) return "";
    return fmt::format("of {} intervals of {:.0f} %, about {:.0f} miss by chance", intervals,
                       100 * confidence, miss);
}

}  // namespace gridmark::harness
