// The first run answers what the README's first table asks.

#include <gtest/gtest.h>

#include <fstream>
#include <regex>
#include <set>

#include "harness/verdicts/pairs.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests {
namespace {

/// The claims in the README's first table, which documents.py writes.
std::set<std::string> headlines() {
    std::ifstream readme(GRIDMARK_SOURCE_DIR "/README.md");
    const std::regex claim("\\| ([A-Z][0-9]+[a-z]?): .*");
    std::set<std::string> found;
    bool inside = false;
    for (std::string line; std::getline(readme, line);) {
        if (line == "<!-- generated: then-and-now -->") inside = true;
        if (line == "<!-- end -->") break;
        std::smatch match;
        if (inside && std::regex_search(line, match, claim)) found.insert(match[1]);
    }
    return found;
}

TEST(Quick, MeasuresTheHeadlineClaims) {
    const std::set<std::string> wanted = headlines();
    std::set<std::string> missing = wanted;
    ASSERT_GE(missing.size(), ids().size());
    for (const std::string& id : ids()) {
        const harness::Experiment& experiment = harness::experiments().at(id);
        auto rows = rows_of(id, planned(experiment, harness::Preset::quick));
        for (harness::Row& row : rows) {
            row.samples = {1};
            row.median = 1;
        }
        std::size_t judged = 0;
        const json study = harness::study_of(experiment);
        for (const json& claim : study["claims"]) {
            const auto name = claim["id"].get<std::string>();
            const std::string headline = name.substr(0, name.find('-'));
            if (!wanted.contains(headline)) continue;
            const auto pairs = harness::pairs_of(claim["pairs"], rows);
            EXPECT_TRUE(pairs) << name << ": " << pairs.reason;
            missing.erase(headline);
            ++judged;
        }
        EXPECT_GT(judged, 0u) << id;
    }
    EXPECT_EQ(missing, std::set<std::string>{});
}

}  // namespace
}  // namespace gridmark::studies_tests
