// Every table, figure and claim of every study asks for rows that the study plans or that its paper printed:
// a selector with a wrong word would leave a column empty, or a claim undecided, without a sound.

#include <gtest/gtest.h>

#include <filesystem>

#include "harness/results/result_file.hpp"
#include "harness/results/row.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests {
namespace {

using harness::select_rows;

class Selectors : public testing::TestWithParam<std::string> {
  protected:
    const json study = harness::study_of(harness::experiments().at(GetParam()));
    const std::vector<harness::Row> plan_rows =
        rows_of(GetParam(), planned_with_peers(harness::experiments().at(GetParam()), harness::Preset::full));

    /// Rows of the plan that match all of them.
    std::size_t among_planned(const std::vector<json>& selectors) const {
        return select_rows(plan_rows, selectors).size();
    }
    /// The same with what the papers printed.
    std::size_t among_all(const std::vector<json>& selectors) const {
        std::size_t found = among_planned(selectors);
        const std::filesystem::path folder = std::string(GRIDMARK_SOURCE_DIR) + "/results/published";
        for (const auto& machine : std::filesystem::directory_iterator(folder)) {
            const auto file = machine.path() / (GetParam() + ".json");
            if (std::filesystem::exists(file))
                found += select_rows(harness::read_result_file(file).rows, selectors).size();
        }
        return found;
    }
};

TEST_P(Selectors, OfTablesFindRows) {
    for (const json& table : study["tables"])
        for (const json& column : table["columns"]) {
            const std::vector<json> selectors{table["select"], column["select"]};
            EXPECT_GT(among_all(selectors), 0U) << table["id"] << ", " << column["id"];
        }
}

TEST_P(Selectors, OfFiguresFindRows) {
    for (const json& figure : study["figures"]) {
        if (!figure.contains("select")) continue;
        EXPECT_GT(among_planned({figure["select"]}), 0U) << figure["id"];
        for (const json& series : figure.value("series", json::array()))
            EXPECT_GT(among_planned({figure["select"], series["select"]}), 0U)
                << figure["id"] << ", " << series["title"];
    }
}

TEST_P(Selectors, OfClaimsFindRows) {
    for (const json& claim : study["claims"]) {
        SCOPED_TRACE(claim["id"]);
        if (claim.contains("pairs")) {
            const json& pairs = claim["pairs"];
            const auto above = among_planned({pairs["select"], pairs["numerator"]}),
                       below = among_planned({pairs["select"], pairs["denominator"]});
            EXPECT_GT(above, 0U);
            EXPECT_GT(below, 0U);
            if (claim["kind"] == "ratio" && !pairs.value("best", false)) {
                EXPECT_EQ(above, 1U);
                EXPECT_EQ(below, 1U);
            }
        } else if (claim.contains("optimum")) {
            const json& optimum = claim["optimum"];
            std::size_t candidates = 0, expected = 0;
            for (const json& choice : optimum["among"]) {
                candidates += among_planned({optimum["select"], choice});
                expected += among_planned({optimum["select"], choice, optimum["expect"]});
            }
            EXPECT_EQ(candidates, optimum["candidates"].get<std::size_t>());
            EXPECT_EQ(expected, 1U);
        } else {
            EXPECT_GT(among_planned({claim["of"]["select"]}), 0U);
            for (const json& way : claim["of"].value("ways", json::array()))
                EXPECT_GT(among_planned({claim["of"]["select"], way}), 0U) << way;
        }
    }
}

TEST_P(Selectors, NameVariantsThatExist) {
    const auto& experiment = harness::experiments().at(GetParam());
    EXPECT_EQ(study["variants"].size(), experiment.variants.size());
    for (const auto& variant : experiment.variants)
        EXPECT_TRUE(study["variants"].contains(variant.name)) << variant.name;
}

INSTANTIATE_TEST_SUITE_P(Of, Selectors, testing::ValuesIn(ids()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace gridmark::studies_tests
