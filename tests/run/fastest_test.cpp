// The fastest versions as text: harness/run/fastest.hpp.
#include "harness/run/fastest.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// A side of fastest_of() or fastest_of_two().
json side(const std::string& variant, double us, json limit = nullptr) {
    return {{"variant", variant}, {"value", us}, {"limit", std::move(limit)}};
}

json limit(const std::string& ceiling, double share) {
    return {{"ceiling", ceiling}, {"share", share}};
}

json of_one(const json& here, bool headline = true) {
    return {{"experiment", "heat"}, {"problem", "n=64"}, {"headline", headline}, {"new", here}};
}

json of_two(const json& there, const json& here) {
    json found = of_one(here);
    found["base"] = there;
    found["ratio"] = nullptr;
    found["verdict"] = "not comparable";
    found["alone"] = {{"base", nullptr}, {"new", nullptr}};
    return found;
}

TEST(FastestText, OfOneSetHasItsTimeAndItsShare) {
    EXPECT_EQ(fastest_line(of_one(side("gpu_a", 46.2, limit("gpu_copy_bandwidth", 0.614)))),
              "heat: gpu_a 46.2 us (61 % of gpu_copy_bandwidth)");
    EXPECT_EQ(fastest_line(of_one(side("gpu_a", 4621.7))), "heat: gpu_a 4.622 ms (limit unknown)");
    EXPECT_EQ(fastest_line(of_one(side("gpu_a", 5), false)), "heat: gpu_a 5 us (limit unknown); n=64")
        << "a problem that is not the study's own is named";
}

TEST(FastestText, OfTwoSetsSaysOnceWhatBothHave) {
    const json copy = limit("copy", 0.61), less = limit("copy", 0.58), triad = limit("triad", 0.5);
    EXPECT_EQ(fastest_line(of_two(side("gpu_a", 46, copy), side("gpu_a", 49, less))),
              "heat: gpu_a 46 us -> 49 us (61 -> 58 % of copy)");
    EXPECT_EQ(fastest_line(of_two(side("gpu_a", 46, copy), side("gpu_a", 49, triad))),
              "heat: gpu_a 46 us -> 49 us (61 % of copy -> 50 % of triad)");
    EXPECT_EQ(fastest_line(of_two(side("gpu_a", 46), side("gpu_a", 49, triad))),
              "heat: gpu_a 46 us -> 49 us (limit unknown -> 50 % of triad)");
    EXPECT_EQ(fastest_line(of_two(side("gpu_a", 46, triad), side("gpu_a", 49))),
              "heat: gpu_a 46 us -> 49 us (50 % of triad -> limit unknown)");
    EXPECT_EQ(fastest_line(of_two(side("gpu_a", 46, copy), side("gpu_b", 49, less))),
              "heat: gpu_a 46 us (61 % of copy) -> gpu_b 49 us (58 % of copy)");
}

TEST(FastestText, HasTheRatioWhereThereIsOne) {
    json found = of_two(side("gpu_a", 46), side("gpu_a", 49));
    const std::string without = fastest_line(found);
    EXPECT_EQ(without.find('%'), std::string::npos) << without;
    found["ratio"] = 1.0652;
    found["verdict"] = "rough difference";
    EXPECT_EQ(fastest_line(found), without + ", +6.5%, rough");
    found["verdict"] = "slower";
    EXPECT_EQ(fastest_line(found), without + ", +6.5%, slower");
}

TEST(FastestText, NamesWhatOneSideAloneHasTried) {
    json found = of_two(side("gpu_a", 46), side("gpu_a", 49));
    const std::string without = fastest_line(found);
    found["alone"]["base"] = side("gpu_b", 40);
    EXPECT_EQ(fastest_line(found), without + "; only there: gpu_b 40 us");
    found["alone"]["new"] = side("gpu_c", 30);
    EXPECT_EQ(fastest_line(found), without + "; only there: gpu_b 40 us; only here: gpu_c 30 us");
}

TEST(FastestText, TellsSmallChangesInPerCentAndLargeOnesAsFactors) {
    EXPECT_EQ(percent(1.25), "+25.0%");
    EXPECT_EQ(percent(0.8), "-20.0%");
    EXPECT_EQ(percent(9.99), "+899.0%");
    EXPECT_EQ(percent(10), "x 10");
    EXPECT_EQ(percent(1234.56), "x 1235");
}

Row row(const std::string& variant, const std::string& rest, double us,
        const json& changes = json::object()) {
    json made = tests::timed_row("heat/" + variant + "/" + rest, {us, us, us},
                                 {{"experiment", "heat"}, {"variant", variant}, {"parameters", {{"n", 64}}}});
    made.update(changes);
    return made.get<Row>();
}

const json study{{"hardware", {{"title", "64 points"}, {"select", {{"n", 64}}}, {"rows", {"variant"}}}}};

TEST(FastestText, OfARunListsAHandfulWithoutWhatTheTitleSays) {
    std::vector<Row> rows;
    for (int k = 0; k < 7; ++k)
        rows.push_back(row("gpu_" + std::to_string(k), "64/float/kernel/hot", 10.0 + k));
    const std::string text = fastest_versions(study, rows, {.width = 100});
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1 + 5);
    EXPECT_TRUE(text.starts_with("Fastest versions: 64 points\n  gpu_0  ")) << text;
    EXPECT_NE(text.find("gpu_4"), std::string::npos);
    EXPECT_EQ(text.find("gpu_5"), std::string::npos) << "five are a handful";
    EXPECT_EQ(text.find("64/float"), std::string::npos) << "all of them begin so: " << text;
    EXPECT_NE(text.find("  hot  "), std::string::npos) << text;
    EXPECT_LT(text.find("gpu_0"), text.find("gpu_1")) << "the fastest first";
    EXPECT_EQ(fastest_versions(study, {}, {}), "");
}

TEST(FastestText, OfARunMarksEstimatesAmongOthers) {
    const json rough{{"status", "estimate"}};
    const std::string mixed = fastest_versions(
        study, {row("gpu_a", "64/kernel/hot", 1, rough), row("gpu_b", "64/kernel/hot", 2)}, {.width = 100});
    EXPECT_NE(mixed.find("1 us (estimate)"), std::string::npos) << mixed;
    EXPECT_EQ(mixed.find("2 us (estimate)"), std::string::npos) << mixed;
    const std::string all =
        fastest_versions(study, {row("gpu_a", "64/kernel/hot", 1, rough)}, {.width = 100});
    EXPECT_TRUE(all.starts_with("Fastest versions (estimates): ")) << all;
    EXPECT_EQ(all.find("(estimate) "), std::string::npos) << "the title has said so";
}

TEST(FastestText, OfARunFitsTheScreen) {
    const std::vector<Row> rows{row("gpu_a", "64/a_long_configuration/of_many_words/kernel/hot", 1),
                                row("gpu_b", "64/another_configuration/kernel/hot", 2)};
    for (const std::size_t width : {40, 59, 60, 80}) {
        const std::string text = fastest_versions(study, rows, {.width = width});
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);)
            EXPECT_LE(columns(line), width) << line;
        EXPECT_EQ(text.find("another") != std::string::npos, width >= 60)
            << "a narrow one has the clock alone: " << text;
    }
}

}  // namespace
}  // namespace gridmark::harness
