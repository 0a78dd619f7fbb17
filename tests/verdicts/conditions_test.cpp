// What a claim on threads makes of the cores that a host gave.

#include <gtest/gtest.h>

#include "harness/verdicts/verdict.hpp"
#include "tests/verdicts/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::time_of;

const json slower_at_each_tile = tests::shared_is_slower();

json on_threads(json row, int threads) {
    row["parameters"]["threads"] = threads;
    return row;
}

TEST(ClaimOnThreads, ReachesAsFarAsMissingCoresMightTakeIt) {
    json claim = slower_at_each_tile;
    claim["pairs"]["numerator"]["threads"] = 8;
    const json rows{on_threads(time_of("shared", "32x8", 12), 8), time_of("plain", "32x8", 10)};
    EXPECT_EQ(decide(claim, rows).verdict, Verdict::reproduced);
    EXPECT_EQ(decide(claim, rows, {.cores = 16}).verdict, Verdict::reproduced);
    EXPECT_EQ(decide(claim, rows, {.cores = 7.5}).verdict, Verdict::reproduced);
    const Decision few = decide(claim, rows, {.cores = 4});  // down to 0.6
    EXPECT_EQ(few.verdict, Verdict::inconclusive);
    EXPECT_NE(few.because.find("8 threads had 4.0 cores' worth"), std::string::npos) << few.because;
    EXPECT_EQ(decide(slower_at_each_tile, rows, {.cores = 4}).verdict, Verdict::reproduced)
        << "it asks for no number of threads";
    EXPECT_NE(decide(slower_at_each_tile, rows, {.cores = 4}).because.find("8 threads had 4.0 cores' worth"),
              std::string::npos)
        << "but says all the same what they had";
}

TEST(ClaimOnThreads, TakesMissingCoresOfTheDenominatorForItsOwn) {
    json claim = slower_at_each_tile;
    claim["pairs"]["denominator"]["threads"] = 8;
    const json rows{time_of("shared", "32x8", 8), on_threads(time_of("plain", "32x8", 10), 8)};
    EXPECT_EQ(decide(claim, rows, {.cores = 8}).verdict, Verdict::not_reproduced);
    EXPECT_EQ(decide(claim, rows, {.cores = 4}).verdict, Verdict::inconclusive);
    claim["pairs"]["numerator"]["threads"] = 8;
    const json both{on_threads(rows[0], 8), rows[1]};
    EXPECT_EQ(decide(claim, both, {.cores = 4}).verdict, Verdict::not_reproduced) << "both lack them alike";
}

TEST(Conditions, CoresAreThePeakOfAllThreadsOverThatOfOne) {
    const auto ceiling = [](const char* name, const json& value) {
        return json{{"name", name}, {"value", value}};
    };
    json context{
        {"ceilings",
         {ceiling("cpu_fma_peak_float_all_threads", 780), ceiling("cpu_fma_peak_float_one_thread", 100),
          ceiling("cpu_fma_peak_double_all_threads", 400), ceiling("cpu_fma_peak_double_one_thread", 50)}}};
    EXPECT_EQ(conditions_of(context).cores, 8);
    context["ceilings"].erase(2);
    EXPECT_EQ(conditions_of(context).cores, 7.8);
    EXPECT_FALSE(conditions_of({{"ceilings", {ceiling("cpu_fma_peak_float_one_thread", nullptr)}}}).cores);
    EXPECT_FALSE(conditions_of(json::object()).cores);
}

}  // namespace
}  // namespace gridmark::harness
