// How far wall times differ from run to run: of which sets and rows that is known.

#include <gtest/gtest.h>

#include "harness/compare/document.hpp"
#include "harness/compare/margins.hpp"
#include "tests/verdicts/sets.hpp"

namespace gridmark::harness {
namespace {

using Medians = std::vector<double>;

/// Runs of a program on a kind of machine, each with a wall time "w" in whatever changes.
std::vector<ResultSet> runs_of(const Medians& medians, const json& changes = json::object(),
                               const char* commit = "x", const char* cpu = "Some CPU") {
    std::vector<ResultSet> sets;
    for (const double us : medians) {
        json row = bound_row("w", us, nullptr, 0, "wall");
        row.update(changes);
        sets.push_back(set_in(std::string(commit) + cpu + std::to_string(sets.size()), json::array({row}),
                              {{"build", {{"commit", commit}}}, {"cpu", {{"model", cpu}}}}));
    }
    return sets;
}

std::optional<double> margin_among(const std::vector<ResultSet>& sets, const char* cpu = "Some CPU") {
    return Margins(addresses_of(sets)).of(bound_row("w", 1).get<Row>(), {{"cpu", {{"model", cpu}}}});
}

const Medians five{10, 10.2, 10.1, 10.5, 10.3};

TEST(MarginBetweenRuns, IsThatOfFiveAndAtLeastTheResolution) {
    EXPECT_NEAR(margin_among(runs_of(five)).value(), 1.05 * 1.05, 1e-9);
    EXPECT_EQ(margin_among(runs_of(Medians(5, 10))), resolution);
    EXPECT_FALSE(margin_among(runs_of(Medians(4, 10))));
    EXPECT_FALSE(margin_among(runs_of(five), "Another CPU"));
    EXPECT_FALSE(margin_among({}));
}

TEST(MarginBetweenRuns, IsOfFitWallTimesOfThreeProcessesAlone) {
    EXPECT_FALSE(margin_among(runs_of(five, {{"clock", "kernel"}})));
    EXPECT_FALSE(margin_among(runs_of(five, {{"process_samples", {13, 14}}})));
    EXPECT_FALSE(margin_among(runs_of(five, {{"disturbed", {{"by", {"x"}}, {"allowed", false}}}})));
    EXPECT_FALSE(margin_among(runs_of(five, {{"median", 0}}))) << "no time at all";
}

TEST(MarginBetweenRuns, IsTheLargestOfSeveralProgramsAndOfKnownOnesAlone) {
    const Medians wide{10, 10.2, 10.1, 11, 10.3};
    for (const bool wide_first : {false, true}) {
        auto sets = runs_of(wide_first ? wide : five, json::object(), "a");
        for (const ResultSet& set : runs_of(wide_first ? five : wide, json::object(), "b"))
            sets.push_back(set);
        EXPECT_NEAR(margin_among(sets).value(), 1.1 * 1.1, 1e-9);
        sets.pop_back();
        EXPECT_EQ(Margins(addresses_of(sets)).most_sets(), 5U);
    }
    EXPECT_FALSE(margin_among(runs_of(five, json::object(), "")));
    const auto nameless = runs_of(five, json::object(), "x", "");
    EXPECT_FALSE(margin_among(nameless, ""));
    EXPECT_EQ(Margins(addresses_of(nameless)).most_sets(), 0U);
}

TEST(MarginBetweenRuns, OfTwoKindsOfMachineIsTheLarger) {
    auto sets = runs_of(five, json::object(), "x", "A");
    for (const ResultSet& set : runs_of({10, 10.2, 10.1, 11, 10.3}, json::object(), "x", "B"))
        sets.push_back(set);
    const Margins margins(addresses_of(sets));
    const Row wall = bound_row("w", 10, nullptr, 0, "wall").get<Row>(),
              kernel = bound_row("w", 10).get<Row>();
    const auto margin = [&](const Row& row, const char* here, const char* there) {
        const auto on = [](const char* cpu) { return json{{"cpu", {{"model", cpu}}}}; };
        return compared_row(margins, row, on(here), row, on(there)).margin;
    };
    EXPECT_NEAR(margin(wall, "A", "B").value(), 1.21, 1e-9);
    EXPECT_NEAR(margin(wall, "B", "A").value(), 1.21, 1e-9);
    EXPECT_NEAR(margin(wall, "A", "A").value(), 1.05 * 1.05, 1e-9);
    EXPECT_FALSE(margin(wall, "A", "C")) << "of one side it is not known";
    EXPECT_FALSE(margin(wall, "C", "A")) << "of one side it is not known";
    EXPECT_FALSE(margin(kernel, "A", "B"));
}

}  // namespace
}  // namespace gridmark::harness
