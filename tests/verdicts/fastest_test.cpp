#include "harness/compare/fastest.hpp"

#include <gtest/gtest.h>

#include "harness/compare/compare.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::about;

const json study{{"hardware",
                  {{"title", "64 points"},
                   {"select", {{"n", 64}, {"precision", "float"}, {"clock", {"kernel", "wall"}}}},
                   {"rows", {"variant"}}}}};

/// A verified time of three processes at a size; its operations grow with the size.
json row(const std::string& variant, int n, double us, const json& changes = json::object()) {
    json made = tests::timed_row(variant + "/" + std::to_string(n), about(us),
                                 {{"variant", variant},
                                  {"parameters", {{"n", n}, {"precision", "float"}}},
                                  {"process_samples", {9, 9, 9}},
                                  {"flops", 10 * n}});
    made.update(changes);
    return made;
}

ResultFile file_of(const json& rows) {
    return tests::document(rows).get<ResultFile>();
}

/// The problem, and the variants that are the fastest there and here.
std::vector<std::string> found(const json& base, const json& fresh, const json& declared = study) {
    const json entry = fastest_of_two("e", declared, file_of(base), file_of(fresh), {});
    if (entry.is_null()) return {};
    return {entry["problem"], entry["base"]["variant"], entry["new"]["variant"]};
}

using Found = std::vector<std::string>;

TEST(Fastest, StandsAtTheStudysProblemWhereBothHaveIt) {
    EXPECT_EQ(found({row("a", 64, 9), row("b", 64, 7), row("b", 128, 8)},
                    {row("a", 64, 5), row("b", 64, 6), row("a", 128, 1)}),
              (Found{"64 points", "b", "a"}));
}

TEST(Fastest, ElseAtTheLargestThatBothHave) {
    const json base{row("a", 64, 1), row("a", 32, 5), row("b", 32, 6), row("a", 16, 3)},
        fresh{row("b", 32, 2), row("a", 32, 3), row("a", 16, 1), row("a", 128, 9)};
    EXPECT_EQ(found(base, fresh), (Found{"n=32", "a", "b"}));
    json other = fresh;
    other[0]["parameters"]["precision"] = other[1]["parameters"]["precision"] = "double";
    EXPECT_EQ(found(base, other), (Found{"n=16", "a", "a"})) << "another precision is no size";
    json sizeless = base;
    sizeless[2]["parameters"].erase("n");
    EXPECT_EQ(found(sizeless, fresh), (Found{"n=32", "a", "a"})) << "what has no size stands at none";
}

// Versions of which one set knows nothing would make machines differ that do not.
TEST(Fastest, IsAmongTheVersionsThatBothHaveTried) {
    const json base{row("a", 64, 9), row("b", 64, 3)}, fresh = json::array({row("a", 64, 9)});
    EXPECT_EQ(found(base, fresh), (Found{"64 points", "a", "a"}));
    const json entry = fastest_of_two("e", study, file_of(base), file_of(fresh), {});
    EXPECT_EQ(entry["alone"]["base"]["variant"], "b");
    EXPECT_TRUE(entry["alone"]["new"].is_null());
    const json back = fastest_of_two("e", study, file_of(fresh), file_of(base), {});
    EXPECT_EQ(back["alone"]["new"]["variant"], "b");
    EXPECT_EQ(found({row("a", 64, 9), row("b", 64, 10)}, fresh), (Found{"64 points", "a", "a"}));
    EXPECT_TRUE(fastest_of_two("e", study, file_of({row("a", 64, 9), row("b", 64, 10)}), file_of(fresh),
                               {})["alone"]["base"]
                    .is_null())
        << "a slower one needs no word";
    const json b = row("b", 64, 1);
    const json without{row("a", 64, 9),
                       tests::row_without_time("b/64", "skipped", "no GPU",
                                               {{"variant", "b"}, {"parameters", b["parameters"]}})};
    EXPECT_EQ(found(base, without), (Found{"64 points", "b", "a"})) << "tried, and it cannot run there";
    EXPECT_EQ(found(json::array({row("a", 64, 9)}), json::array({row("b", 64, 9)})), Found{});
    const json higher = row("a", 64, 1, {{"name", "a/64/h_4096"}});
    EXPECT_EQ(
        fastest_of_two("e", study, file_of({row("a", 64, 9), higher}), file_of(fresh), {})["base"]["value"],
        9)
        << "another height";
}

TEST(Fastest, LeavesOutWhatWasDisturbed) {
    const json disturbed{{"disturbed", {{"by", {"another process on the GPU"}}, {"allowed", false}}}};
    EXPECT_EQ(found({row("a", 64, 9), row("b", 64, 1, disturbed)}, {row("a", 64, 9), row("b", 64, 8)}),
              (Found{"64 points", "a", "b"}));
}

// Where the study names no problem, or has no row of it, those of all sizes race, if both sides have them.
TEST(Fastest, ElseByOperation) {
    const json none = json::object();
    EXPECT_EQ(found({row("a", 64, 4), row("b", 16, 2)}, {row("a", 64, 5), row("b", 16, 1)}, none),
              (Found{"by time for each operation", "a", "b"}));
    const json entry = fastest_of_two("e", none, file_of(json::array({row("a", 64, 4)})),
                                      file_of(json::array({row("a", 64, 8)})), {});
    EXPECT_NEAR(entry["ratio"].get<double>(), 2, 1e-9);
    EXPECT_EQ(entry["headline"], false);
    EXPECT_EQ(found({row("a", 64, 4), row("b", 16, 2)}, json::array({row("a", 32, 1)})), Found{});
    EXPECT_EQ(found(json::array({row("a", 64, 4)}), json::array()), Found{});
}

// A row that no check could have refused is not verified; nor is a failed one a version.
TEST(Fastest, IsVerified) {
    const json loose{{"verification", {{"against", "r"}, {"error", 0}, {"tolerance", 0.5}, {"steps", 1}}}};
    const json failed = tests::row_without_time("c/64", "failed", "wrong answer");
    EXPECT_EQ(found({row("a", 64, 9), row("b", 64, 1, loose), failed}, json::array({row("a", 64, 9)})),
              (Found{"64 points", "a", "a"}));
}

TEST(Fastest, TellsTheRatioItsClassAndWhatBinds) {
    const json limit{{"limit", {{"ceiling", "gpu_copy"}, {"value", 5}, {"unit", "us"}, {"share", 0.5}}}};
    const auto of_two = [](const json& base, const json& fresh) {
        return fastest_of_two("e", study, file_of(json::array({base})), file_of(json::array({fresh})), {});
    };
    const json entry = of_two(row("a", 64, 10), row("a", 64, 12, limit));
    EXPECT_EQ(entry["verdict"], "slower");
    EXPECT_NEAR(entry["ratio"].get<double>(), 1.2, 1e-9);
    EXPECT_TRUE(entry["base"]["limit"].is_null());
    EXPECT_EQ(entry["new"]["limit"], (json{{"ceiling", "gpu_copy"}, {"share", 0.5}}));
    EXPECT_EQ(of_two(row("a", 64, 10), row("a", 64, 12, {{"process_samples", {27}}}))["verdict"],
              "rough difference");
    EXPECT_EQ(of_two(row("a", 64, 10, {{"clock", "wall"}}), row("a", 64, 5))["verdict"], "not comparable");
}

TEST(Fastest, StandsInTheDocumentOfTwoSets) {
    const auto set = [](double us) {
        return ResultSet{"r", "m", true, {{"e", file_of(json::array({row("a", 64, us)}))}}};
    };
    const json document = compare_sets(set(10), set(12), {}, {{"e", study}});
    ASSERT_EQ(document["fastest"].size(), 1U);
    EXPECT_EQ(document["fastest"][0]["problem"], "64 points");
    EXPECT_EQ(document["fastest"][0]["experiment"], "e");
}

}  // namespace
}  // namespace gridmark::harness
