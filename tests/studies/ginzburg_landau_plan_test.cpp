// What ginzburg_landau's rows say of themselves.

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "experiments/ginzburg_landau/case.hpp"
#include "experiments/ginzburg_landau/counts.hpp"
#include "harness/verdicts/pairs.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests::ginzburg_landau_study {
namespace {

using harness::Point;
using harness::Preset;
using harness::Series;

std::vector<Point> points(Preset preset = Preset::full, int threads = 16) {
    std::vector<Point> result;
    for (const auto& group : planned(harness::experiments().at("ginzburg_landau"), preset, threads).groups)
        result.insert(result.end(), group.points.begin(), group.points.end());
    return result;
}

bool is_published(const Point& point) {
    const json p = json_of(point.parameters);
    return (p["n"] == 16384 || p["n"] == 32768) && p.value("block", 128) == 128;
}

TEST(GinzburgLandauPlan, DeclaresLeastTrafficAnd128OperationsAPair) {
    for (const Point& point : points()) {
        SCOPED_TRACE(point.name);
        const json p = json_of(point.parameters);
        const int n = p["n"];
        const double state_twice = 4.0 * n * (p["precision"] == "float" ? 4 : 8);
        const std::map<std::string, int> steps{
            {"gpu_registers", 4}, {"gpu_persistent", 300}, {"gpu_grid_barrier", 100}};
        const auto many = steps.find(point.variant);
        EXPECT_EQ(point.steps, many == steps.end() ? 1 : many->second);
        const bool shares = point.steps > 1 && point.variant != "gpu_grid_barrier";
        EXPECT_EQ(point.bytes, state_twice / (shares ? point.steps : 1));
        EXPECT_EQ(point.stepwise_bytes, shares ? state_twice : 0);
        EXPECT_EQ(point.flops, 128.0 * n);
        const std::map<std::string, double> states{{"gpu_overlap8_listing", 1}, {"gpu_overlap8", 1},
                                                   {"cpu_overlap", 1},          {"gpu_registers", 1},
                                                   {"gpu_persistent", 3.5},     {"gpu_grid_barrier", 3}};
        const auto found = states.find(point.variant);
        EXPECT_EQ(point.working_set, state_twice * (found == states.end() ? 2 : found->second));
        EXPECT_EQ(point.launches, point.variant == "gpu_relaunch" ? 4 : 1);
    }
}

TEST(GinzburgLandauPlan, NamesItsParameters) {
    for (const Point& point : points()) {
        const json p = json_of(point.parameters);
        std::string name = fmt::format("ginzburg_landau/{}/{}/{}/", point.variant, p["n"].get<int>(),
                                       p["precision"].get<std::string>());
        if (p.contains("block")) name += fmt::format("block_{}", p["block"].get<int>());
        if (point.steps > 1) name += fmt::format("{}steps_{}", p.contains("block") ? "/" : "", point.steps);
        if (p.contains("threads")) {
            const std::map<int, std::string> teams{{1, "one"}, {4, "four"}, {16, "all"}};
            EXPECT_EQ(p["team"], teams.at(p["threads"]));
            name += p["team"].get<std::string>() + (p["threads"] == 1 ? "_thread" : "_threads");
        }
        EXPECT_EQ(point.name, name);
    }
}

// Both readings of the slides' dimension have the same rows.
TEST(GinzburgLandauPlan, ReportsBothPublishedSizesEqually) {
    for (const Preset preset : {Preset::quick, Preset::paper, Preset::full}) {
        std::map<int, std::set<std::string>> rows;
        const auto plan = planned(harness::experiments().at("ginzburg_landau"), preset);
        for (const json row : rows_of("ginzburg_landau", plan)) {
            const json& p = row["parameters"];
            if (p.value("block", 128) != 128 || row["unit"] != "us") continue;
            auto name = row["name"].get<std::string>();
            for (const int n : {16384, 32768})
                if (const auto at = name.find(fmt::format("/{}/", n)); at != std::string::npos)
                    rows[n].insert(name.replace(at, 7, "/n/"));
        }
        EXPECT_EQ(rows[16384], rows[32768]);
        EXPECT_GT(rows[16384].size(), 20U);
    }
}

// 30000 steps are one sample of the step clock.
TEST(GinzburgLandauPlan, TimesTheWholeRunOfTheSlides) {
    for (const Preset preset : {Preset::paper, Preset::full})
        for (const Point& point : points(preset)) {
            const bool of_the_slides = point.variant == "gpu_overlap8" ||
                                       point.variant == "gpu_overlap8_listing" ||
                                       point.variant == "gpu_relaunch";
            const bool timed_whole = of_the_slides && is_published(point);
            EXPECT_EQ(point.iterations * point.steps, timed_whole ? 30000 : 0) << point.name;
            EXPECT_EQ(point.iterations % 2, 0) << "a graph must end in the buffer that it began with";
        }
    for (const Point& point : points(Preset::quick))
        EXPECT_EQ(point.iterations, 0) << point.name;
}

TEST(GinzburgLandauPlan, SweepsSizesAndBlocks) {
    std::map<std::string, std::set<int>> sizes, blocks;
    for (const Point& point : points()) {
        const json p = json_of(point.parameters);
        sizes[point.variant].insert(p["n"].get<int>());
        if (p.contains("block") && p["n"] == 16384) blocks[point.variant].insert(p["block"].get<int>());
    }
    ASSERT_EQ(sizes.size(), 9U);
    for (const auto& [variant, found] : sizes) {
        if (variant == "gpu_overlap8_listing" || variant == "gpu_grid_barrier") {
            EXPECT_EQ(found, (std::set<int>{16384, 32768})) << "the claims' sizes";
            EXPECT_EQ(blocks[variant], std::set<int>{128});
            blocks.erase(variant);
            continue;
        }
        EXPECT_EQ(*found.begin(), 1 << 10) << variant;
        if (variant == "gpu_persistent") {
            EXPECT_EQ(*found.rbegin(), 1 << 16) << "what fits on the chip";
            EXPECT_EQ(found.size(), 5U);
            continue;
        }
        EXPECT_TRUE(found.contains(1 << 22)) << variant;
        EXPECT_GE(found.size(), 9U) << variant;
    }
    for (const auto& [variant, found] : blocks)
        EXPECT_EQ(found, (std::set<int>{32, 64, 96, 128, 192, 256, 512, 1024})) << variant;
}

// The four threads of the slides' CPU stand beside all, or why they cannot.
TEST(GinzburgLandauPlan, FollowsTheMachinesThreads) {
    for (const int all : {1, 4, 5, 48}) {
        std::set<int> threads;
        int of_four = 0;
        for (const Point& point : points(Preset::full, all)) {
            if (!point.parameters.contains("threads")) continue;
            const int of_point = json_of(point.parameters)["threads"];
            threads.insert(of_point);
            EXPECT_EQ(point.unavailable.empty(), of_point <= all) << point.name;
            if (of_point > all) {
                EXPECT_NE(point.unavailable.find("needs 4 threads, and 1 may be used"), std::string::npos);
            }
            of_four += of_point == 4 && is_published(point) ? 1 : 0;
        }
        EXPECT_EQ(threads, (std::set<int>{1, 4, all}));
        EXPECT_EQ(of_four, 8) << "one row a version, size and precision: a claim takes it by its threads";
    }
}

TEST(GinzburgLandauPlan, PreparesWorkThatVerifies) {
    int verified = 0;
    for (const Point& point : points(Preset::quick, 2)) {
        if (json_of(point.parameters)["n"] > 4096) continue;
        SCOPED_TRACE(point.name);
        const auto v = point.prepare()->verify();
        EXPECT_TRUE(v.passed()) << v.error << " > " << v.tolerance;
        EXPECT_GT(v.tolerance, 0);
        // Hundreds of steps let the equation itself make something of rounding.
        const double many = point.steps > 100 ? 100 : 1;
        EXPECT_LT(v.tolerance, many * (json_of(point.parameters)["precision"] == "float" ? 1e-4 : 1e-12));
        EXPECT_EQ(v.steps % 2, 1) << "an even number would end in the buffer that holds the start";
        ++verified;
    }
    EXPECT_EQ(verified, 2 * 2 * 7);
}

TEST(GinzburgLandauPlan, CountsArithmeticOverBlocks) {
    std::set<std::tuple<std::string, int, int>> counted;
    for (const auto& point : planned(harness::experiments().at("ginzburg_landau"), Preset::paper).profiled) {
        if (point.metrics.front().quantity == "shared_passes") continue;
        const int n = json_of(point.parameters)["n"], block = json_of(point.parameters)["block"];
        counted.insert({point.variant, n, block});
        EXPECT_EQ(point.solve,
                  (std::vector<std::string>{"ginzburg_landau", "--variant", point.variant, "--set",
                                            fmt::format("n={}", n), fmt::format("block={}", block),
                                            "steps=12", "precision=double"}));
        EXPECT_EQ(point.kernel, point.variant == "gpu_overlap8" ? "step_kernel" : "listing_kernel");
        for (const auto& metric : point.metrics) {
            EXPECT_NE(metric.counter.find("_op_d"), std::string::npos);
            EXPECT_DOUBLE_EQ(metric.scale * n, 1);
        }
        EXPECT_EQ(point.metrics.size(), 3U);
    }
    for (const char* variant : {"gpu_overlap8", "gpu_overlap8_listing"}) {
        EXPECT_TRUE(counted.contains({variant, 1024, 1024}));
        EXPECT_TRUE(counted.contains({variant, 16384, 128}));
    }
}

// Passes and sectors by request, in the slides' kernel and both precisions.
TEST(GinzburgLandauPlan, CountsHowTheListingUsesMemory) {
    std::set<std::string> precisions;
    for (const auto& point : planned(harness::experiments().at("ginzburg_landau"), Preset::paper).profiled) {
        if (point.metrics.front().quantity != "shared_passes") continue;
        EXPECT_EQ(point.variant, "gpu_overlap8_listing");
        precisions.insert(point.solve.back());
        for (const auto& metric : point.metrics) {
            EXPECT_DOUBLE_EQ(100 * metric.scale, 1) << "passes, not percent";
            EXPECT_NE(metric.whole.find(metric.quantity == "global_sectors" ? "requests" : "inst_executed"),
                      std::string::npos);
        }
    }
    EXPECT_EQ(precisions, (std::set<std::string>{"precision=double", "precision=float"}));
}

// Every second block begins in the middle of a segment: 120 values of 8 bytes are seven and a half.
TEST(GinzburgLandauPlan, CountsWhatIsCounted) {
    using namespace ginzburg_landau;
    EXPECT_DOUBLE_EQ(segments_of_a_read(128, 128), 1);
    EXPECT_DOUBLE_EQ(segments_of_a_read(248, 128), 1.5);
    EXPECT_DOUBLE_EQ(segments_of_a_read(32, 20), 5 / 4.0);  // 0-15, 16-19; 12-27 (two), 28-31
    EXPECT_EQ(counted_launches("gpu_relaunch", 500, 32), 4);
    EXPECT_EQ(counted_launches("gpu_overlap8_listing", 500, 32), 1);
    EXPECT_EQ(counted_launches("gpu_registers", 500, 32), 0.25);
    EXPECT_EQ(counted_synchronisations("gpu_relaunch", 500, 32), 1);
    EXPECT_EQ(counted_synchronisations("gpu_grid_barrier", 500, 32), 4 * 100);
}

/// The study's claims by id.
std::map<std::string, json> claims() {
    std::map<std::string, json> result;
    const json study = harness::study_of(harness::experiments().at("ginzburg_landau"));
    for (const json& claim : study["claims"])
        result[claim["id"]] = claim;
    return result;
}

// Two readings of a speed-up differ in the rows that they take and in the words that say which, and in
// nothing that decides between them. Where the slides time no other version there is no reading as published.
TEST(GinzburgLandauClaims, HaveTwoReadingsOfOneSentence) {
    int twins = 0;
    const auto all = claims();
    for (const auto& [id, twin] : all) {
        if (!id.ends_with("-best")) continue;
        SCOPED_TRACE(id);
        const json& claim = all.at(id.substr(0, id.find('-')));
        const bool own = claim["id"] == "G5" || claim["id"] == "G6";
        EXPECT_EQ(twin["reading"], "best for best");
        EXPECT_EQ(claim.value("reading", ""), own ? "" : "as published");
        EXPECT_TRUE(twin["pairs"]["best"].get<bool>());
        EXPECT_FALSE(claim["pairs"].value("best", false));
        for (const char* key : {"quote", "place", "kind", "published", "tolerance"})
            EXPECT_EQ(claim[key], twin[key]) << key;
        for (const char* key : {"statement", "quantity"})
            EXPECT_NE(claim[key], twin[key]) << key;
        ++twins;
    }
    EXPECT_EQ(twins, 7);
}

// G6 prefers computing a value again to asking another block for it: what asks stands on the other side,
// whatever it computes again besides.
TEST(GinzburgLandauClaims, SetWhatAsksOtherBlocksApart) {
    const std::set<std::string> ask = {"gpu_relaunch", "gpu_grid_barrier", "gpu_persistent"};
    const auto best = claims().at("G6-best");
    for (const harness::Variant& variant : harness::experiments().at("ginzburg_landau").variants) {
        if (variant.kind != harness::Variant::Kind::cuda) continue;
        SCOPED_TRACE(variant.name);
        const bool asks = ask.contains(variant.name);
        EXPECT_EQ(variant.uses.contains("values of other blocks"), asks);
        const json &above = best["pairs"]["numerator"]["variant"],
                   &below = best["pairs"]["denominator"]["variant"];
        EXPECT_EQ(std::count(above.begin(), above.end(), json(variant.name)), asks ? 1 : 0);
        EXPECT_EQ(std::count(below.begin(), below.end(), json(variant.name)), asks ? 0 : 1);
    }
}

// As published: the slides' kernel by plain launches, their CPU version on as many threads as cores, each row
// by one process's count of threads.
TEST(GinzburgLandauClaims, TakeTheSlidesVersionsAlone) {
    const auto rows =
        rows_of("ginzburg_landau", planned(harness::experiments().at("ginzburg_landau"), Preset::paper));
    for (const auto& [id, claim] : claims()) {
        if (claim.value("reading", "") != "as published") continue;
        SCOPED_TRACE(id);
        const json& pairs = claim["pairs"];
        const auto found = harness::pairs_of(pairs, [&] {
            auto measured = rows;
            for (auto& row : measured) {
                row.samples.assign(9, 1.0);
                row.process_samples = {9};
                row.median = 1;
            }
            return measured;
        }());
        ASSERT_TRUE(found) << found.reason;
        EXPECT_EQ(found.value->size(), claim["kind"] == "ratio" ? 1U : 4U);
        for (const auto& pair : *found.value) {
            EXPECT_EQ(pair.denominator.variant, "gpu_overlap8_listing");
            const json below = json_of(pair.denominator.parameters),
                       above = json_of(pair.numerator.parameters);
            EXPECT_EQ(below.value("launch", "stream"), "stream");
            EXPECT_EQ(below["block"], 128);
            EXPECT_TRUE(pair.numerator.variant == "gpu_relaunch" ||
                        (pair.numerator.variant == "cpu_openmp" && above["threads"] == 4))
                << pair.numerator.name;
        }
    }
}

// What the slides print decides, and no value lies in the bands of two answers.
TEST(GinzburgLandauClaims, HaveThePrintedNumbersAndBandsApart) {
    const auto all = claims();
    for (const char* suffix : {"", "-best", "b", "b-best"}) {
        EXPECT_EQ(all.at("G2" + std::string(suffix))["published"]["value"], 2.31);
        EXPECT_EQ(all.at("G3" + std::string(suffix))["published"]["value"], 8.3);
    }
    const auto end = [&](const char* id, int sign) {
        const double value = all.at(id)["published"]["value"], tolerance = all.at(id)["tolerance"];
        return value * (1 + sign * tolerance);
    };
    EXPECT_LT(end("G2", 1), end("G3", -1));
    EXPECT_LT(end("G9b", 1), end("G9", -1)) << "one pass or two";
    EXPECT_LT(end("G10", 1), 9) << "a sector more than the words fill";
    EXPECT_LT(end("G10b", 1), ginzburg_landau::segments_of_a_read(16384, 128));
    EXPECT_LT(end("G8", 1), 2) << "a barrier and the launch's end";
    EXPECT_GT(end("G1", -1), 3) << "three launches";
    EXPECT_LT(end("G1", 1), 5);
}

}  // namespace
TEST(GinzburgLandauCase, HasFewerStepsWhereRoundingGrowsTooFast) {
    const auto calm = ginzburg_landau::shared_case<float>(509, 1, 601);
    EXPECT_EQ(calm->steps, 601);
    const auto wild =
        ginzburg_landau::shared_case<float>(1021, 1, 601);  // 1.8 % of the field after 601 steps
    EXPECT_EQ(wild->steps, 301);
    EXPECT_LE(wild->tolerance, 0.01);
    EXPECT_EQ(ginzburg_landau::shared_case<float>(1021, 1, 601), wild) << "made once";
}

}  // namespace gridmark::studies_tests::ginzburg_landau_study
