// The claims as the studies declare them, decided from the numbers that the papers printed.

#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "harness/experiment.hpp"
#include "harness/results/result_file.hpp"
#include "harness/run/registry.hpp"
#include "harness/verdicts/pairs.hpp"
#include "harness/verdicts/verdict.hpp"
#include "tests/studies/plans.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {

namespace {

using nlohmann::json;

const std::string source = GRIDMARK_SOURCE_DIR;

/// The study with variants of its own besides.
json study_with(const std::string& id, const std::vector<Variant>& more = {}) {
    Experiment experiment = experiments().at(id);
    experiment.variants.insert(experiment.variants.end(), more.begin(), more.end());
    return study_of(experiment);
}

const json& claim_of(const json& study, const std::string& id) {
    for (const json& claim : study["claims"])
        if (claim["id"] == id) return claim;
    throw std::runtime_error("no claim " + id);
}

/// Committed rows, with the derived ones that they lack.
const std::vector<Row>& committed(const std::string& set, const std::string& id) {
    static std::map<std::string, std::vector<Row>> known;
    const auto [at, is_new] = known.try_emplace(set + "/" + id);
    if (is_new) at->second = complete_rows(id, read_result_file(source + "/results/" + at->first + ".json"));
    return at->second;
}

Decision decided(const std::string& claim_id, const std::string& device, const std::string& id = "jacobi") {
    const auto rows = load_result_set(source + "/results/published/" + device).files.at(id).rows;
    const json study = study_with(id);
    return decide(claim_of(study, claim_id), rows);
}

TEST(JacobiClaims, J1HoldsOnBothPublishedCards) {
    const Decision gtx = decided("J1", "gtx-570");
    EXPECT_EQ(gtx.verdict, Verdict::reproduced) << gtx.because;
    EXPECT_EQ(gtx.measured, "1.41 to 1.81 over 7 pairs");
    const Decision tesla = decided("J1", "tesla-x2070");
    EXPECT_EQ(tesla.verdict, Verdict::reproduced) << tesla.because;
    EXPECT_EQ(tesla.measured, "1.32");
}

// The other card's one pair has 58 / 44, where this one's has 38 / 27.
TEST(JacobiClaims, J4HoldsOnTheCardThatHasTheRatiosOfItsPairs) {
    const Decision d = decided("J4", "gtx-570"), other = decided("J4", "tesla-x2070");
    EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
    EXPECT_EQ(other.verdict, Verdict::trend_only) << other.because;
    EXPECT_EQ(other.measured, "1.32");
}

TEST(JacobiClaims, TheBestVersionsOfThePaperAreItsOwn) {
    for (const char* claim : {"J1-best", "J4-best"}) {
        const Decision d = decided(claim, "gtx-570");
        EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
        EXPECT_EQ(d.measured, "1.46 (gpu_shared / gpu_no_shared)");
    }
}

TEST(JacobiClaims, J7HoldsWhereMissesAreFewest) {
    const Decision d = decided("J7", "gtx-570");
    EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
    EXPECT_EQ(d.measured, "1.41 to 1.46 over 3 pairs");
}

TEST(JacobiClaims, J5J6AndJ7bHaveNoPublishedNumbers) {
    for (const char* claim : {"J5", "J6", "J7b"})
        EXPECT_EQ(decided(claim, "gtx-570").verdict, Verdict::not_run);
}

TEST(JacobiClaims, J8FindsTheConfigurationThatLosesMost) {
    const Decision d = decided("J8", "gtx-570");
    EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
    EXPECT_EQ(d.measured, "1.81");
}

TEST(JacobiClaims, J2HoldsOnTheUnnamedCard) {
    EXPECT_EQ(decided("J2", "unnamed-card").verdict, Verdict::reproduced);
    EXPECT_EQ(decided("J2", "gtx-570").verdict, Verdict::not_run);
}

TEST(JacobiClaims, J3HoldsOnTheGtx570AndWasNotMeasuredOnTheTesla) {
    const Decision gtx = decided("J3", "gtx-570");
    EXPECT_EQ(gtx.verdict, Verdict::reproduced) << gtx.because;
    EXPECT_EQ(gtx.measured, "gpu_no_shared / 32x32 / 32x8 with 26 us");
    const Decision tesla = decided("J3", "tesla-x2070");
    EXPECT_EQ(tesla.verdict, Verdict::not_run);
    EXPECT_EQ(tesla.because, "2 of 14 candidates were measured");
}

TEST(HeatClaims, HoldOnTheMachinesOfTheThesis) {
    for (const char* claim : {"H1", "H2", "H7", "H10", "H11", "H13"}) {
        const Decision d = decided(claim, "gtx-580", "heat");
        EXPECT_EQ(d.verdict, Verdict::reproduced) << claim << ": " << d.because;
    }
    EXPECT_EQ(decided("H1", "gtx-580", "heat").measured, "1.21 to 1.62 over 6 pairs");
    for (const char* claim : {"H4", "H5", "H5b", "H12"}) {
        const Decision d = decided(claim, "i7-920", "heat");
        EXPECT_EQ(d.verdict, Verdict::reproduced) << claim << ": " << d.because;
    }
    EXPECT_EQ(decided("H4", "i7-920", "heat").measured,
              "2.64 (cpu_blocked / cpu_sse)");  // Table 4.3, by time
    EXPECT_EQ(decided("H5", "i7-920", "heat").measured, "1.11 (cpu_naive / cpu_blocked)");  // Table 4.2
    EXPECT_EQ(decided("H10", "gtx-580", "heat").measured, "gpu_naive with 4480 us");
    EXPECT_EQ(decided("H12", "i7-920", "heat").measured, "10.3 (cpu_naive / cpu_sse)");  // by time, one digit
    EXPECT_EQ(decided("H3", "gtx-580", "heat").verdict,
              Verdict::not_run);  // needs CPU and GPU of one machine
}

// Every claim of every study must be one that `decide` understands.
TEST(StudyClaims, AreAllOfAKindThatCanBeDecided) {
    for (const auto& [id, experiment] : experiments()) {
        const json study = study_of(experiment);
        for (const json& claim : study["claims"]) {
            SCOPED_TRACE(id + " " + claim["id"].get<std::string>());
            const Decision d = decide(claim, json::array());
            EXPECT_EQ(d.verdict, Verdict::not_run);
            EXPECT_FALSE(d.because.empty());
        }
        EXPECT_GE(study["claims"].size(), 3U);
    }
}

// The reading best for best chooses by entries alone: no side lists variants, and each has one.
TEST(BestForBest, ListsNoVariants) {
    int claims = 0;
    for (const auto& [id, experiment] : experiments()) {
        const json study = json::parse(experiment.study);
        for (const json& claim : study["claims"]) {
            if (claim.value("reading", "") != "best for best") continue;
            SCOPED_TRACE(claim["id"]);
            const json& pairs = claim["pairs"];
            EXPECT_TRUE(pairs["best"].get<bool>());
            for (const char* side : {"select", "numerator", "denominator"})
                EXPECT_FALSE(pairs[side].contains("variant") && pairs[side]["variant"].is_array()) << side;
            ++claims;
        }
    }
    EXPECT_GE(claims, 20);
}

/// A row like the one that the claim's side takes now, of another variant and twelve times as fast.
Row faster_than(const Row& row) {
    Row faster = row;
    faster.variant = "new";
    faster.name = "new/" + row.name;
    *faster.median /= 12;
    for (double& sample : faster.samples)
        sample /= 12;
    return faster;
}

// A new fastest version takes its side, and changes the verdict, by its entry alone.
TEST(BestForBest, TakesANewVersionByItsEntry) {
    const auto verdict_with = [](const std::string& id, const std::string& claim_id, const Variant& added,
                                 bool numerator) {
        const json before = study_with(id), after = study_with(id, {added});
        std::vector<Row> rows = committed("nvidia-h100", id);
        const auto pair = pairs_of(claim_of(before, claim_id)["pairs"], rows).value.value().front();
        rows.push_back(faster_than(numerator ? pair.numerator : pair.denominator));
        EXPECT_EQ(decide(claim_of(before, claim_id), rows).measured.find("new"), std::string::npos);
        const Decision d = decide(claim_of(after, claim_id), rows);
        EXPECT_NE(d.measured.find("new"), std::string::npos) << d.measured;
        return d.verdict;
    };
    const Variant plain{"new", Variant::Kind::cuda}, cpu{"new", Variant::Kind::cpu};
    Variant shared = plain;
    shared.uses = {"shared memory"};
    EXPECT_EQ(verdict_with("jacobi", "J1-best", shared, true), Verdict::not_reproduced);
    EXPECT_EQ(verdict_with("jacobi", "J1-best", plain, false), Verdict::reproduced);
    EXPECT_EQ(verdict_with("heat", "H1-best", plain, false), Verdict::reproduced);
    EXPECT_EQ(verdict_with("heat", "H3-best", cpu, true), Verdict::trend_only);
    EXPECT_EQ(verdict_with("maxwell", "M2-best", cpu, true), Verdict::inconclusive);
    EXPECT_EQ(verdict_with("maxwell", "M1-best", plain, false), Verdict::trend_only);
}

// On which side of a claim about shared memory a kernel stands agrees with what it asks of a chip.
TEST(BestForBest, KnowsWhichKernelsUseSharedMemory) {
    for (const char* id : {"jacobi", "heat"}) {
        const Experiment& experiment = experiments().at(id);
        std::map<std::string, bool> uses, asks;
        for (const Variant& variant : experiment.variants)
            if (variant.kind == Variant::Kind::cuda)
                uses[variant.name] = variant.uses.contains("shared memory");
        for (const Group& group : studies_tests::planned(experiment, Preset::full).groups)
            for (const Point& point : group.points)
                if (point.demands)
                    for (const launch::Demand& demand : point.demands({.multiprocessors = 132}))
                        asks[point.variant] = demand.shared_bytes > 0;
        EXPECT_GE(asks.size(), 8U);
        for (const auto& [variant, shared] : asks)
            EXPECT_EQ(uses.at(variant), shared) << variant;
    }
}

// What is not measured anew keeps its verdicts: of the reference these are the ones that the rule decides.
TEST(BestForBest, TakesVersionsOfManyStepsAPass) {
    const auto measured = [](const std::string& id, const std::string& claim) {
        const json study = study_with(id);
        return decide(claim_of(study, claim), committed("nvidia-h100", id)).measured;
    };
    EXPECT_EQ(measured("jacobi", "J1-best"), "0.16 (gpu_persistent / gpu_rows)");
    EXPECT_EQ(measured("heat", "H1-best"), "0.45 (gpu_blocked_3 / gpu_queue)");
    EXPECT_EQ(measured("maxwell", "M2-best"), "29.5 (cpu_openmp / gpu_streamed_skewed)");
}

// No machine may change what is said to hold anywhere.
TEST(HoldsAnywhere, WhateverTheSet) {
    int claims = 0;
    for (const auto& [id, experiment] : experiments()) {
        const json study = study_of(experiment);
        for (const json& claim : study["claims"]) {
            if (!claim.value("holds_anywhere", false)) continue;
            SCOPED_TRACE(claim["id"]);
            std::set<Verdict> verdicts;
            for (const char* set : {"nvidia-h100", "repeats/nvidia-h100-paper", "repeats/nvidia-h200-paper"})
                if (const Verdict v = decide(claim, committed(set, id)).verdict; v != Verdict::not_run)
                    verdicts.insert(v);
            EXPECT_LE(verdicts.size(), 1U);
            const json& rows = claim.contains("of") ? claim["of"]["select"] : claim["pairs"]["select"];
            EXPECT_NE(rows.value("quantity", json()), "time") << "a time";
            ++claims;
        }
    }
    EXPECT_GE(claims, 15);
}

// A ratio claim whose selectors find several pairs would never be decided. (Whether a whole run measures what
// a claim asks for is tested on the plans: a committed run may be older than a claim.)
TEST(StudyClaims, FindTheirRowsInTheCommittedRuns) {
    int claims = 0;
    for (const auto& file : std::filesystem::directory_iterator(source + "/results/nvidia-h100")) {
        if (file.path().extension() != ".json") continue;
        const std::string id = file.path().stem().string();
        const auto rows = read_result_file(file.path()).rows;
        const json study = study_with(id);
        for (const json& claim : study["claims"]) {
            const Decision d = decide(claim, rows);
            EXPECT_EQ(d.because.find("compares one pair of rows"), std::string::npos)
                << id << ": " << d.because;
            ++claims;
        }
    }
    EXPECT_GE(claims, 3);
}

}  // namespace
}  // namespace gridmark::harness
