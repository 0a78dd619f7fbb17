// The claims as the studies declare them, decided from the numbers that the papers printed.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "harness/results/result_file.hpp"
#include "harness/verdicts/verdict.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {

namespace {

using nlohmann::json;

const std::string source = GRIDMARK_SOURCE_DIR;

Decision decided(const std::string& claim_id, const std::string& device, const std::string& id = "jacobi") {
    const json study = json::parse(std::ifstream(source + "/experiments/" + id + "/study.json"));
    const auto rows = load_result_set(source + "/results/published/" + device).files.at(id).rows;
    for (const json& claim : study["claims"])
        if (claim["id"] == claim_id) return decide(claim, rows);
    throw std::runtime_error("no claim " + claim_id);
}

TEST(JacobiClaims, J1HoldsOnBothPublishedCards) {
    const Decision gtx = decided("J1", "gtx-570");
    EXPECT_EQ(gtx.verdict, Verdict::reproduced) << gtx.because;
    EXPECT_EQ(gtx.measured, "1.41 to 1.81 over 7 pairs");
    const Decision tesla = decided("J1", "tesla-x2070");
    EXPECT_EQ(tesla.verdict, Verdict::reproduced) << tesla.because;
    EXPECT_EQ(tesla.measured, "1.32");
}

TEST(JacobiClaims, J4HoldsOnBothPublishedCards) {
    for (const char* card : {"gtx-570", "tesla-x2070"}) {
        const Decision d = decided("J4", card);
        EXPECT_EQ(d.verdict, Verdict::reproduced) << card << ": " << d.because;
    }
}

TEST(JacobiClaims, TheBestVersionsOfThePaperAreItsOwn) {
    for (const char* claim : {"J1-best", "J4-best"}) {
        const Decision d = decided(claim, "gtx-570");
        EXPECT_EQ(d.verdict, Verdict::reproduced) << d.because;
        EXPECT_EQ(d.measured, "1.46 (gpu_shared / gpu_no_shared)");
    }
}

TEST(JacobiClaims, J5ToJ7HaveNoPublishedNumbers) {
    for (const char* claim : {"J5", "J6", "J7"})
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
    EXPECT_EQ(decided("H10", "gtx-580", "heat").measured, "1.76 to 2.85 over 5 pairs");
    EXPECT_EQ(decided("H12", "i7-920", "heat").measured, "10.3 (cpu_naive / cpu_sse)");  // by time, one digit
    EXPECT_EQ(decided("H3", "gtx-580", "heat").verdict,
              Verdict::not_run);  // needs CPU and GPU of one machine
}

// Every claim of every study must be one that `decide` understands.
TEST(StudyClaims, AreAllOfAKindThatCanBeDecided) {
    int claims = 0;
    for (const auto& folder : std::filesystem::directory_iterator(source + "/experiments")) {
        std::ifstream file(folder.path() / "study.json");
        if (!file) continue;
        const json study = json::parse(file);
        for (const json& claim : study["claims"]) {
            SCOPED_TRACE(study["id"].get<std::string>() + " " + claim["id"].get<std::string>());
            const Decision d = decide(claim, json::array());
            EXPECT_EQ(d.verdict, Verdict::not_run);
            EXPECT_FALSE(d.because.empty());
            ++claims;
        }
    }
    EXPECT_GE(claims, 3);
}

// A ratio claim whose selectors find several pairs would never be decided. (Whether a whole run measures what
// a claim asks for is tested on the plans: a committed run may be older than a claim.)
TEST(StudyClaims, FindTheirRowsInTheCommittedRuns) {
    int claims = 0;
    for (const auto& file : std::filesystem::directory_iterator(source + "/results/nvidia-h100")) {
        if (file.path().extension() != ".json") continue;
        const std::string id = file.path().stem().string();
        const auto rows = read_result_file(file.path()).rows;
        const json study = json::parse(std::ifstream(source + "/experiments/" + id + "/study.json"));
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
