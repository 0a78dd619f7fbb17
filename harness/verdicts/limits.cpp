#include "harness/verdicts/limits.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace gridmark::harness {
namespace {

/// A variant at one ceiling, and the least and the largest share of it that its rows reach.
struct Reached {
    std::string variant, ceiling;
    double least, most;
};

std::string describe(const Reached& r) {
    const std::string low = fmt::format("{:.0f}", 100 * r.least), high = fmt::format("{:.0f}", 100 * r.most);
    return fmt::format("{} {}{} % of {}", r.variant, low == high ? "" : low + " to ", high, r.ceiling);
}

}  // namespace

std::string describe_limits(const std::vector<Row>& rows) {
    std::vector<Reached> reached;
    for (const auto& row : rows) {
        if (!row.limit) continue;
        const double share = row.limit->share;
        const auto same = [&](const Reached& r) {
            return r.variant == row.variant && r.ceiling == row.limit->ceiling;
        };
        const auto found = std::find_if(reached.begin(), reached.end(), same);
        if (found == reached.end()) {
            reached.push_back({row.variant, row.limit->ceiling, share, share});
        } else {
            found->least = std::min(found->least, share);
            found->most = std::max(found->most, share);
        }
    }
    std::string text;
    for (const Reached& r : reached)
        text += (text.empty() ? "" : "; ") + describe(r);
    return text;
}

}  // namespace gridmark::harness
