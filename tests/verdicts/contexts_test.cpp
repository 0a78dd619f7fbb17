// What a context says in words and kinds: the CPU, the program, the place, the ceilings, and a group's
// clocks.

#include <gtest/gtest.h>

#include "harness/compare/clocks.hpp"
#include "harness/compare/document.hpp"
#include "harness/compare/machines.hpp"
#include "tests/verdicts/sets.hpp"

namespace gridmark::harness {
namespace {

TEST(TextOfAContext, IsEmptyWhereThereIsNone) {
    const json context{{"gpu", {{"name", "G"}, {"sms", 132}}}};
    EXPECT_EQ(context_text(context, "/gpu/name"), "G");
    for (const char* path : {"/gpu/sms", "/gpu", "/gpu/none", "/none/name", "/gpu/name/deeper"})
        EXPECT_EQ(context_text(context, path), "") << path;
}

TEST(KindOfCpu, IsAllThatItsTimesFollowFrom) {
    const json context{{"cpu",
                        {{"model", "M"},
                         {"physical_cores", 8},
                         {"logical_cores", 16},
                         {"threads", 16},
                         {"caches", {{"l2", 1}}},
                         {"isa", {"avx2"}},
                         {"quota", 4}}}};
    const std::string kind = cpu_kind(context);
    EXPECT_FALSE(kind.empty());
    const json others{{"model", "N"}, {"physical_cores", 9},   {"logical_cores", 17}, {"threads", 17},
                      {"quota", 5},   {"caches", {{"l2", 2}}}, {"isa", {"avx512"}}};
    for (const auto& [key, other] : others.items()) {
        json changed = context;
        changed["cpu"][key] = other;
        EXPECT_NE(cpu_kind(changed), kind) << key;
    }
    json same = context;
    same["cpu"]["memory_available_bytes"] = 5;
    EXPECT_EQ(cpu_kind(same), kind);
    same["cpu"].erase("model");
    EXPECT_EQ(cpu_kind(same), "");
    EXPECT_EQ(cpu_kind({{"cpu", nullptr}}), "");
}

TEST(ProgramOfAContext, OfChangedFilesIsThatOfTheSameBytes) {
    const auto program = [](const json& build) { return program_of({{"build", build}}); };
    EXPECT_EQ(program({{"commit", "abc"}, {"dirty", false}, {"build_id", "1"}}),
              program({{"commit", "abc"}, {"build_id", "2"}}));
    const std::string changed = program({{"commit", "abc"}, {"dirty", true}, {"build_id", "1"}});
    EXPECT_NE(changed, program({{"commit", "abc"}}));
    EXPECT_NE(changed, program({{"commit", "abc"}, {"dirty", true}, {"build_id", "2"}}));
    EXPECT_EQ(changed, program({{"commit", "abc"}, {"dirty", true}, {"build_id", "1"}}));
    EXPECT_EQ(program({{"dirty", true}, {"build_id", "1"}}), "");
}

TEST(CeilingsOfAContext, CostMoreWhereTheyAreSlower) {
    const auto found = ceilings_of({{"ceilings",
                                     {ceiling("rate", 4, "GB/s"),
                                      ceiling("flops", 8, "GFLOP/s"),
                                      ceiling("time", 3, "us"),
                                      ceiling("latency", 5, "ns"),
                                      ceiling("stopped", 0, "GB/s"),
                                      ceiling("none", 0, "us"),
                                      {{"name", "unknown"}, {"value", nullptr}, {"unit", "us"}}}}});
    EXPECT_EQ(found.size(), 4U) << "of nothing there is neither rate nor time";
    EXPECT_EQ(found.at("rate").cost, 0.25);
    EXPECT_EQ(found.at("rate").value, 4);
    EXPECT_EQ(found.at("flops").cost, 0.125);
    EXPECT_EQ(found.at("time").cost, 3);
    EXPECT_EQ(found.at("latency").cost, 5);
    EXPECT_EQ(found.at("latency").unit, "ns");
}

TEST(ResourceOfACeiling, IsOneForAllThatMeasureIt) {
    for (const char* name : {"gpu_copy_bandwidth", "gpu_triad_bandwidth", "gpu_tiles_bandwidth"})
        EXPECT_EQ(resource_of(name), "GPU memory");
    for (const char* name : {"gpu_l2_bandwidth", "gpu_l2_bandwidth_eighth", "gpu_l2_bandwidth_whole"})
        EXPECT_EQ(resource_of(name), "the GPU's L2");
    EXPECT_EQ(resource_of("link_up_pinned"), "link_up_pinned") << "itself";
    EXPECT_NE(resource_of("gpu_launch"), resource_of("gpu_graph_node"));
}

TEST(PlaceOfARun, NamesWhatASchedulerSaid) {
    const json whole{{"partition", "gpu"}, {"node", "n07"}, {"gpus", "2"}, {"job", "4711"}};
    EXPECT_EQ(place_of({{"scheduler", whole}}), "partition gpu, node n07, GPU 2, job 4711");
    EXPECT_EQ(place_of({{"scheduler", {{"job", "4711"}, {"node", "n07"}}}}), "node n07, job 4711");
    EXPECT_EQ(place_of({{"scheduler", {{"job", 4711}}}}), "") << "no text";
    EXPECT_EQ(place_of(json::object()), "");
    // Of a set that of its first file that has one.
    ResultSet set = set_in("a", json::array());
    set.files["kepler"] = set.files["maxwell"] = set.files.at("jacobi");
    set.files["kepler"].context["scheduler"] = {{"node", "k"}};
    set.files["maxwell"].context["scheduler"] = {{"node", "m"}};
    EXPECT_EQ(side_of(set)["place"], "node k");
    EXPECT_TRUE(side_of(set_in("a", json::array()))["place"].is_null());
}

TEST(DisturbedRun, SaysWhatCausedItAndWhere) {
    const auto disturbed = [](const json& context) { return disturbances(context); };
    using Words = std::vector<std::string>;
    EXPECT_EQ(disturbed({{"clocks", {{"cpu_stolen", 0.0201}}}}),
              Words{"the host gave 2 % of the CPU time to others"});
    EXPECT_EQ(disturbed({{"clocks", {{"cpu_stolen", 0.02}}}}), Words{}) << "a quiet machine shows as much";
    EXPECT_EQ(disturbed({{"topology", {{"binding", "CPUs far from the GPU"}}}}),
              Words{"CPUs far from the GPU"});
    EXPECT_EQ(disturbed({{"company", {{"gpu", {"one", 7, "two"}}}}}),
              (Words{"one while the ceilings were measured", "two while the ceilings were measured"}));
    ResultSet calm = set_in("calm", json::array()), other = set_in("other", json::array());
    other.files.at("jacobi").context["topology"] = {{"binding", "far"}};
    EXPECT_EQ(disturbances_of({&calm, &other}),
              (json{{{"set", 1}, {"directory", "other"}, {"experiment", "jacobi"}, {"what", "far"}}}));
    EXPECT_EQ(disturbances_of({&calm, &calm}), json::array());
}

// --- clocks of a group

TEST(JoinedClocks, AreTheWorseOfBothInEitherOrder) {
    const json one{{"sm_mhz", 1500},
                   {"temperature_celsius", 60},
                   {"power_watts", 300},
                   {"limited_by", {"power cap", "idle"}},
                   {"slowed_seconds", {{"power cap", 1.5}, {"power brake", 0.25}}}},
        two{{"sm_mhz", 1900},
            {"temperature_celsius", 70},
            {"power_watts", 250},
            {"limited_by", {"power brake"}},
            {"slowed_seconds", {{"power cap", 2}}}};
    const json joined = joined_clocks(one, two);
    EXPECT_EQ(joined, (json{{"sm_mhz", 1500},
                            {"temperature_celsius", 70},
                            {"power_watts", 300},
                            {"limited_by", {"power brake", "power cap"}},
                            {"slowed_seconds", {{"power cap", 3.5}, {"power brake", 0.25}}}}))
        << joined << ": a GPU whose clock was read under load did not idle";
    EXPECT_EQ(joined_clocks(two, one), joined);
    EXPECT_EQ(joined_clocks(joined, {{"limited_by", json::array()}, {"sm_mhz", 1600}})["sm_mhz"], 1500);
}

TEST(JoinedClocks, DoNotKnowSecondsThatOneOfThemLacks) {
    const json counted{{"sm_mhz", 1500}, {"slowed_seconds", {{"power cap", 1.5}}}}, bare{{"sm_mhz", 1400}};
    for (const json& joined : {joined_clocks(counted, bare), joined_clocks(bare, counted)}) {
        EXPECT_FALSE(joined.contains("slowed_seconds"));
        EXPECT_EQ(joined["sm_mhz"], 1400);
    }
    const json alone = joined_clocks({{"power_watts", 7}}, {{"limited_by", {"idle"}}});
    EXPECT_EQ(alone, (json{{"power_watts", 7}, {"limited_by", {"idle"}}})) << "nothing says that it worked";
}

/// What groups of these clocks disturb; their default is 2000 MHz and the card's most 3000.
std::vector<std::string> disturbed_by(const std::vector<json>& groups) {
    json named = json::object();
    for (std::size_t k = 0; k < groups.size(); ++k)
        named["group " + std::to_string(k)] = groups[k];
    return judge_clocks({{"gpu", {{"clocks", {{"sm_max_mhz", 3000}}}}}, {"clocks", {{"groups", named}}}})
        .disturbed;
}

TEST(LowClocks, OfAGroupLieBelow95PercentOrHalfWhereNoCauseIsRead) {
    const auto told = [](double mhz) {
        return disturbed_by({{{"sm_mhz", mhz}, {"rated_mhz", 2000}, {"slowed_seconds", json::object()}}})
            .size();
    };
    EXPECT_EQ(told(1901), 0U);
    EXPECT_EQ(told(1899), 1U);
    const auto untold = [](double mhz, const json& rated) {
        return disturbed_by({{{"sm_mhz", mhz}, {"rated_mhz", rated}}}).size();
    };
    EXPECT_EQ(untold(1001, 2000), 0U);
    EXPECT_EQ(untold(999, 2000), 1U);
    EXPECT_EQ(untold(1501, nullptr), 0U) << "of the most that the card has";
    EXPECT_EQ(untold(1499, nullptr), 1U);
}

TEST(SlowedGroups, AreCountedWithTheirSecondsAndTheFirstIsNamed) {
    const auto slowed = [](double seconds) {
        return json{{"sm_mhz", 2000},
                    {"rated_mhz", 2000},
                    {"slowed_seconds", {{"power brake", seconds}, {"low utilisation", seconds}}}};
    };
    EXPECT_EQ(
        disturbed_by({slowed(0), slowed(1.5), slowed(2), slowed(0)}),
        std::vector<std::string>{"GPU slowed by power brake for 3.5 s in 2 of 4 groups, first group 1"});
    const json limited{{"sm_mhz", 2000}, {"limited_by", {"application clocks", "idle"}}};
    EXPECT_EQ(
        disturbed_by({slowed(0), limited, limited}),
        std::vector<std::string>{"GPU clock limited by application clocks in 2 of 3 groups, first group 1"});
}

TEST(SlowedGroups, OfWhichOnlyLittleWasAskedAreNotSpokenOf) {
    const ClockVerdict verdict =
        judge_clocks({{"clocks", {{"groups", {{"a", {{"slowed_seconds", {{"low utilisation", 4}}}}}}}}}});
    EXPECT_TRUE(verdict.disturbed.empty());
    EXPECT_TRUE(verdict.noted.empty());
}

}  // namespace
}  // namespace gridmark::harness
