// The reference was measured by an older commit: this program plans the same rows, in the same groups and
// order, so that old sets remain comparable.

#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests {
namespace {

/// "group: row" of each timed row. A group's rows of one clock are measured together.
using Lines = std::vector<std::string>;

Lines measured(const std::string& id) {
    std::ifstream file(std::string(GRIDMARK_SOURCE_DIR) + "/results/nvidia-h100/" + id + ".json");
    Lines lines;
    const json rows = json::parse(file)["rows"];
    for (const json& row : rows)
        if (row["quantity"] == "time" && row["group"].is_string())
            lines.push_back(row["group"].get<std::string>() + ": " + row["name"].get<std::string>());
    return lines;
}

Lines planned_rows(const std::string& id) {
    Lines lines;
    const harness::Plan plan = planned_with_peers(harness::experiments().at(id), harness::Preset::full);
    for (const harness::Group& group : plan.groups)
        for (const harness::Point& point : group.points)
            for (const harness::Series& series : point.series)
                lines.push_back(group.name + "/" + harness::to_string(series.clock) + ": " +
                                harness::row_name(point, series));
    return lines;
}

class Reference : public testing::TestWithParam<std::string> {};

TEST_P(Reference, HasThePlansRowsInTheirGroupsAndOrder) {
    const Lines then = measured(GetParam());
    ASSERT_GT(then.size(), 100u);
    const std::set<std::string> all(then.begin(), then.end());
    Lines now;
    for (const std::string& line : planned_rows(GetParam()))
        if (all.contains(line)) now.push_back(line);
    ASSERT_EQ(now.size(), then.size());
    for (std::size_t k = 0; k < then.size(); ++k)
        ASSERT_EQ(now[k], then[k]);
}

INSTANTIATE_TEST_SUITE_P(Of, Reference, testing::ValuesIn(ids()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gridmark::studies_tests
