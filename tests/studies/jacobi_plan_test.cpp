// What jacobi's plan and claims say of its kernels.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "kernels/jacobi/gpu.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests::jacobi_study {
namespace {

using harness::Preset;
using harness::Row;
using harness::select_rows;
using Words = std::set<std::string>;

const harness::Experiment& experiment() {
    return harness::experiments().at("jacobi");
}

json claim(const std::string& id) {
    const json study = harness::study_of(experiment());
    for (const json& each : study["claims"])
        if (each["id"] == id) return each;
    throw std::runtime_error("no claim " + id);
}

std::vector<Row> side(const std::string& id, const char* name, Preset preset) {
    const json pairs = claim(id)["pairs"];
    return select_rows(rows_of("jacobi", planned(experiment(), preset)), {pairs["select"], pairs[name]});
}

Words names(const std::vector<Row>& rows) {
    Words found;
    for (const Row& row : rows)
        found.insert(row.name);
    return found;
}

Words variants(const std::vector<Row>& rows) {
    Words found;
    for (const Row& row : rows)
        found.insert(row.variant);
    return found;
}

// A version that stood on neither side, or on both, could not be the best.
TEST(JacobiClaims, BestForBestHasEveryKernelOnOneSide) {
    for (const char* id : {"J1-best", "J4-best"}) {
        SCOPED_TRACE(id);
        const json select = claim(id)["pairs"]["select"];
        Words all = variants(select_rows(rows_of("jacobi", planned(experiment(), Preset::full)), {select}));
        const Words above = variants(side(id, "numerator", Preset::full)),
                    below = variants(side(id, "denominator", Preset::full));
        for (const Words* part : {&above, &below})
            for (const std::string& name : *part)
                EXPECT_EQ(all.erase(name), 1U) << name;
        EXPECT_EQ(all, Words{});
    }
}

// A verdict must not depend on which of the two presets measured its rows.
TEST(JacobiClaims, TakeTheSameRowsOfPaperAndFull) {
    const json study = harness::study_of(experiment());
    for (const json& each : study["claims"]) {
        if (!each.contains("pairs")) continue;
        SCOPED_TRACE(each["id"]);
        for (const char* name : {"numerator", "denominator"}) {
            const auto paper = side(each["id"], name, Preset::paper);
            EXPECT_FALSE(paper.empty());
            EXPECT_EQ(names(paper), names(side(each["id"], name, Preset::full)));
        }
    }
}

TEST(JacobiClaims, ComparePublishedKernelsUnderTheirOwnCacheSplit) {
    for (const char* id : {"J1", "J4", "J7b"}) {
        for (const char* name : {"numerator", "denominator"}) {
            const auto rows = side(id, name, Preset::paper);
            EXPECT_EQ(rows.size(), 7U) << id;
            for (const Row& row : rows) {
                const auto* kernel = jacobi::find_gpu_variant<float>(launch::Executor::host, row.variant);
                EXPECT_EQ(kernel->origin, launch::Origin::published);
                const bool shared = kernel->carveout == launch::Carveout::prefer_shared;
                EXPECT_EQ(std::get<std::string>(row.parameters.at("carveout")), shared ? "shared" : "l1");
            }
        }
    }
}

TEST(JacobiPlan, MeasuresAnAblationBesideWhatItIsOf) {
    std::size_t found = 0;
    for (const auto& group : planned(experiment(), Preset::full).groups)
        for (const auto& point : group.points) {
            const auto* kernel = jacobi::find_gpu_variant<float>(launch::Executor::host, point.variant);
            if (kernel == nullptr || kernel->ablation_of.empty()) continue;
            ++found;
            const auto is_whole = [&](const auto& other) {
                return other.variant == kernel->ablation_of && other.parameters == point.parameters &&
                       other.bytes == point.bytes && other.flops == point.flops;
            };
            EXPECT_TRUE(std::any_of(group.points.begin(), group.points.end(), is_whole)) << point.name;
        }
    EXPECT_EQ(found, 2 * 7U);
}

// A warp's instruction is one for each of the 32 points that its lanes work.
TEST(JacobiPlan, CountsHitsOfSectorsAndLinesAndInstructionsAPoint) {
    std::size_t rates = 0, instructions = 0;
    for (const auto& point : planned(experiment(), Preset::paper).profiled)
        for (const auto& metric : point.metrics) {
            if (metric.quantity == "instructions") {
                ++instructions;
                EXPECT_EQ(metric.counter, "smsp__inst_executed.sum");
                EXPECT_EQ(metric.scale * 512 * 256, 32);
            } else {
                ++rates;
                EXPECT_EQ(point.variant, "gpu_no_shared");
                const bool lines = metric.quantity == "l1_line_hit_rate";
                EXPECT_EQ(metric.whole.find("set_accesses") != std::string::npos, lines);
                EXPECT_EQ(metric.counter.find("lookup_hit") != std::string::npos, !lines);
                EXPECT_EQ(metric.rest, lines) << "requests are misses";
            }
        }
    EXPECT_EQ(rates, 2 * 7U);
    EXPECT_EQ(instructions, 2 * 7U + 2);
}

}  // namespace
}  // namespace gridmark::studies_tests::jacobi_study
