// pyramid's estimate of a step's time: what its derived rows make of a sweep's times and the GPU's cores.

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "experiments/pyramid/computed.hpp"
#include "experiments/pyramid/sweep.hpp"
#include "harness/model/predict.hpp"
#include "kernels/launch/error.hpp"
#include "tests/studies/plans.hpp"

namespace gridmark::studies_tests::pyramid_estimate {
namespace {

using harness::Plan;
using harness::Preset;

Plan plan_of(Preset preset) {
    return planned(harness::experiments().at("pyramid"), preset);
}

/// The derived rows of the paper's way on 64 MiB, in quick: by quantity, in the order of heights.
std::map<std::string, std::vector<const harness::Derived*>> derived_rows(const Plan& plan) {
    std::map<std::string, std::vector<const harness::Derived*>> by_quantity;
    for (const auto& row : plan.derived)
        if (row.variant == pyramid::paper_version && row.name.find("/64_MiB/") != std::string::npos &&
            !row.name.ends_with("/ceilings"))
            by_quantity[row.quantity].push_back(&row);
    return by_quantity;
}

bool is_of(const harness::Derived& row, const std::string& form) {
    const json p = json_of(row.parameters);
    return p.value("form", p.value("by", "")) == form;
}

// Models are functions of a sweep's times and the GPU's cores: fed with their own, they give them back.
TEST(PyramidEstimate, FitsItsModelToTheTimes) {
    const Plan plan = plan_of(Preset::quick);
    const auto by_quantity = derived_rows(plan);
    ASSERT_EQ(by_quantity.at("model").size(), 8U);
    const double mu = 5000;
    const std::vector<double> times{100, 40, 25, 20, mu};
    std::vector<double> model;
    for (const auto* row : by_quantity.at("model"))
        if (is_of(*row, "corrected")) model.push_back(row->value(times));
    ASSERT_EQ(model.size() + 1, times.size());
    for (std::size_t k = 0; k < model.size(); ++k)
        EXPECT_NEAR(model[k] / times[k], 1, 0.2);
    model.push_back(mu);
    // What the model made is fitted exactly.
    std::size_t k = 0;
    for (const auto* row : by_quantity.at("model"))
        if (is_of(*row, "corrected")) {
            EXPECT_NEAR(row->value(model) / model[k], 1, 1e-9);
            EXPECT_EQ(row->from.size(), times.size());
            EXPECT_EQ(row->from.back(), "pyramid/gpu_cyclic_reduction_synchronous/cores");
            ++k;
        }
    for (const auto* row : by_quantity.at("best_height")) {
        const double best = row->value(times);
        if (is_of(*row, "measured")) {
            EXPECT_EQ(best, 64);
        } else if (is_of(*row, "printed")) {
            EXPECT_EQ(best, 1) << "height brings nothing without 1/h";
        } else {
            EXPECT_GT(best, 64);
        }
    }
}

TEST(PyramidEstimate, SaysHowNearItsModelComes) {
    const Plan plan = plan_of(Preset::quick);
    const auto by_quantity = derived_rows(plan);
    const std::vector<double> times{100, 40, 25, 20, 5000};
    std::map<std::string, double> model;
    for (const auto* row : by_quantity.at("model"))
        model[json_of(row->parameters).dump()] = row->value(times);
    int heights = 0;
    for (const auto* row : by_quantity.at("estimated")) {
        const json p = json_of(row->parameters);
        if (p.contains("costs")) continue;
        const std::map<int, double> time{{1, 100}, {4, 40}, {16, 25}, {64, 20}};
        EXPECT_DOUBLE_EQ(row->value(times), model.at(p.dump()) / time.at(p["height"])) << row->name;
        EXPECT_TRUE(row->by_process) << "its interval decides";
        ++heights;
    }
    EXPECT_EQ(heights, 2 * 4);
}

// By its own costs the printed form comes nearer than by those that the corrected form fits.
TEST(PyramidEstimate, GivesThePrintedFormItsOwnCosts) {
    const Plan plan = plan_of(Preset::quick);
    const auto by_quantity = derived_rows(plan);
    double own = 0, borrowed = 0;
    int heights = 0;
    for (const auto* row : by_quantity.at("estimated")) {
        const json p = json_of(row->parameters);
        if (p["form"] != "printed") continue;
        const double miss = row->value({100, 40, 25, 20, 5000}) - 1;
        (p.contains("costs") ? own : borrowed) += miss * miss;
        heights += p.contains("costs") ? 1 : 0;
        EXPECT_TRUE(row->by_process);
    }
    EXPECT_EQ(heights, 4);
    EXPECT_LT(own, borrowed / 2);
}

// The printed form chooses height 1, whatever was measured; the corrected one the highest of those that fall.
TEST(PyramidEstimate, SaysWhatTheChoiceOfTheModelCosts) {
    const Plan plan = plan_of(Preset::quick);
    const auto by_quantity = derived_rows(plan);
    ASSERT_EQ(by_quantity.at("cost_of_choice").size(), 2U);
    for (const auto* row : by_quantity.at("cost_of_choice")) {
        EXPECT_TRUE(row->by_process);
        const bool printed = is_of(*row, "printed");
        EXPECT_DOUBLE_EQ(row->value({100, 40, 25, 20, 5000}), printed ? 5 : 1);
        EXPECT_DOUBLE_EQ(row->value({100, 40, 20, 25, 5000}), printed ? 5 : 1.25) << "64 is chosen";
        // mu is no time, however small.
        EXPECT_DOUBLE_EQ(row->value({100, 40, 25, 20, 1}), printed ? 5 : 1);
    }
}

// Any sweep's heights, judged by its own times: the best as measured, and the one chosen by ceilings.
TEST(PyramidEstimate, SaysWhatTheChoiceByCeilingsCosts) {
    const pyramid::Sweep sweep{"gpu_local_inverse",    std::size_t{1} << 26, 1, 64, "float",
                               pyramid::Rule::minimal, {1, 4, 16, 64}};
    const std::vector<double> times{100, 40, 20, 25};
    // By measurement or ceilings and by quantity.
    const auto values = [&](std::map<std::string, double> ceilings) {
        const harness::MachineLimits machine{.ceilings = std::move(ceilings), .multiprocessors = 100};
        Plan plan;
        pyramid::add_best(plan, sweep);
        pyramid::add_choice(plan, sweep, machine);
        std::map<std::pair<std::string, std::string>, double> found;
        for (const auto& row : plan.derived) {
            EXPECT_EQ(row.from, sweep.timed_rows());
            EXPECT_EQ(row.by_process, row.quantity == "cost_of_choice")
                << "processes differ in their best height";
            const std::string by = json_of(row.parameters)["by"];
            if (by == "ceilings" && machine.ceilings.empty())
                EXPECT_THROW(row.value(times), launch::Unavailable) << "no ceilings";
            else
                found[{by, row.quantity}] = row.value(times);
        }
        return found;
    };
    using Found = std::map<std::pair<std::string, std::string>, double>;
    const Found measured{{{"measured", "best_height"}, 16}, {{"measured", "step_at_height"}, 20}};
    EXPECT_EQ(values({}), measured);
    // Transfers that take very long, and such that take no time.
    for (const auto& [link, height, time] : {std::tuple{1.0, 64, 25.0}, {1e9, 1, 100.0}}) {
        Found both = measured;
        both[{"ceilings", "best_height"}] = height;
        both[{"ceilings", "step_at_height"}] = time;
        both[{"ceilings", "cost_of_choice"}] = time / 20;
        EXPECT_EQ(values({{"link_up_pinned", link},
                          {"link_down_pinned", link},
                          {"link_both_pinned", link},
                          {"gpu_copy_bandwidth", 4000}}),
                  both);
    }
}

// What a step of a pass takes follows from the ceilings alone.
TEST(PyramidEstimate, ModelsAPassByTheMachinesCeilings) {
    const auto predicted = [](const std::string& part, std::map<std::string, double> more) {
        harness::MachineLimits machine;
        machine.multiprocessors = 100;
        machine.l2_bytes = 1e6;
        machine.ceilings = std::move(more);
        machine.ceilings.merge(std::map<std::string, double>{{"link_up_pinned", 50},
                                                             {"link_down_pinned", 50},
                                                             {"link_both_pinned", 100},
                                                             {"gpu_copy_bandwidth", 4000}});
        const Plan plan = plan_of(Preset::quick);
        for (const harness::Group& group : plan.groups)
            for (const harness::Point& point : group.points)
                if (point.name ==
                    "pyramid/gpu_marching_8/streamed/67108864/float/s_1/64_MiB/least_padding/h_8" + part)
                    return harness::predict(point, point.series.front(), machine);
        throw std::runtime_error("no such point");
    };
    // 2^26 values of four bytes go up and a little more down at once, in eight steps; of 24 pieces the first
    // goes up alone, and the last one down.
    const auto transfers = predicted("/transfers", {});
    EXPECT_NEAR(transfers->time, 4.0 * (1 << 26) / 50e3 / 8 * (1 + 2 / 24.0), 0.01 * transfers->time);
    EXPECT_EQ(transfers->binding().ceiling, "link_down_pinned") << "padding comes down too";
    const auto kernels = predicted("/kernels", {});
    EXPECT_EQ(kernels->binding().ceiling, "gpu_copy_bandwidth") << "no other ceiling is known";
    const auto whole = predicted("", {});
    EXPECT_GE(whole->time, std::max(transfers->time, kernels->time));
    EXPECT_LT(whole->time, 1.1 * (transfers->time + kernels->time));
    // By what the solver declares: its solves are bound by what the chip is worst at.
    for (const double issue : {1.0, 10.0}) {
        const auto slow =
            predicted("/kernels", {{"gpu_issue_arithmetic", issue}, {"gpu_copy_bandwidth", 1e9}});
        EXPECT_EQ(slow->binding().ceiling, "gpu_issue_arithmetic");
        EXPECT_GT(slow->time * issue, 10 * (1 << 26) / 32e3) << "tens of instructions a value";
        EXPECT_GT(predicted("", {{"gpu_issue_arithmetic", issue}})->time, slow->time);
    }
}

TEST(PyramidEstimate, ChoosesByTheCeilingsOfTheCpuInADevicesPlace) {
    const pyramid::Sweep sweep{"cpu_pyramid",          std::size_t{1} << 20, 1, 0x1p-7, "float",
                               pyramid::Rule::minimal, {1, 4, 16, 64}};
    EXPECT_THROW(pyramid::modelled_height(sweep, {.ceilings = {{"link_up_pinned", 50}}}),
                 launch::Unavailable);
    // Copies that take very long, and solves that do: a link has no part in it.
    for (const auto& [one, all, height] : {std::tuple{1e-3, 100.0, 64}, {1e9, 1e-3, 1}})
        for (const double link : {1e-3, 1e9})
            EXPECT_EQ(pyramid::modelled_height(sweep, {.ceilings = {{"cpu_triad_one_thread", one},
                                                                    {"cpu_triad_all_threads", all},
                                                                    {"link_up_pinned", link},
                                                                    {"link_down_pinned", link},
                                                                    {"link_both_pinned", link}}}),
                      height);
}

// Beside a solver's own point in memory, of the same size; there is none of another s.
TEST(PyramidEstimate, SaysWhatStreamingKeepsOfTheSpeedInMemory) {
    Plan plan = plan_of(Preset::paper);
    std::map<std::string, const harness::Derived*> found;
    for (const auto& row : plan.derived)
        if (row.quantity == "of_in_memory") found[row.name] = &row;
    for (const auto& [start, in_memory] : std::map<std::string, std::string>{
             {"gpu_cyclic_reduction_synchronous/streamed/67108864/float/s_1/64_MiB/least_padding",
              "gpu_cyclic_reduction/in_memory/67108864/float/step/stream"},
             {"gpu_marching_8/streamed/67108864/float/s_1/64_MiB/least_padding",
              "gpu_marching_8/in_memory/67108864/float/step/stream"},
             {"cpu_pyramid/streamed/1048576/double/s_1/1_MiB/least_padding",
              "cpu_openmp/in_memory/1048576/double/wall"},
             {"gpu_box_skewed/box/512x512x512/float/256_MiB", "gpu_box/box/512x512x512/float/step/stream"}}) {
        const auto row = found.find("pyramid/" + start + "/of_in_memory");
        ASSERT_NE(row, found.end()) << start;
        EXPECT_EQ(row->second->from.back(), "pyramid/" + in_memory);
        EXPECT_DOUBLE_EQ(row->second->value({50, 40, 45, 10}), 25) << "the least of the streamed ones";
    }
    for (const auto& [name, row] : found)
        EXPECT_EQ(json_of(row->parameters)["s"], 1) << name;
}

// Fewer values than cores: log2(M / mu) is below 0, and the estimate says nothing.
TEST(PyramidEstimate, IsNotMadeForFewerValuesThanCores) {
    const Plan plan = plan_of(Preset::quick);
    const auto by_quantity = derived_rows(plan);
    const double most = 64 * 0x1p20 / 4;  // values of the device
    for (const char* quantity : {"model", "estimated", "cost_of_choice", "tau_reduction"})
        for (const auto* row : by_quantity.at(quantity)) {
            EXPECT_THROW(row->value({100, 40, 25, 20, most + 1}), launch::Unavailable) << row->name;
            EXPECT_NO_THROW(row->value({100, 40, 25, 20, most / 8})) << row->name;
        }
}

TEST(PyramidEstimate, TakesTheCoresOfTheGpu) {
    for (const auto& row : plan_of(Preset::quick).computed)
        if (row.quantity == "cores") {
            EXPECT_TRUE(row.on_gpu);
            EXPECT_THROW(row.value(), launch::Unavailable) << "the host has no multiprocessors";
            return;
        }
    FAIL() << "no row of mu";
}

// What was counted beside the estimate's formulas, by hand for a rod of four pieces.
TEST(PyramidEstimate, HoldsItsEstimateAgainstCounts) {
    pyramid::Sweep sweep{pyramid::paper_version, 4 * 7744, 1, 8192 * 4 / 0x1p20, "float",
                         pyramid::Rule::paper,   {1, 16}};
    ASSERT_EQ(sweep.padding(16), 224U);
    ASSERT_EQ(sweep.pieces(16).length, 7744U);
    Plan plan;
    pyramid::add_estimated_counts(plan, sweep);
    int found = 0;
    for (const auto& row : plan.derived) {
        if (json_of(row.parameters)["height"] != 16) continue;
        ++found;
        if (row.quantity == "estimated_solves") {
            EXPECT_EQ(row.from.front(), sweep.name() + "/h_16/solved");
            EXPECT_DOUBLE_EQ(row.value({2}), 8192.0 / 7744 / 2);
            continue;
        }
        EXPECT_EQ(row.from.front(), sweep.name() + "/h_16/moved");
        // 2 (M - p) values a piece, four bytes each: in every step, or in one of 16.
        const double bytes = 4.0 * 2 * (8192 - 224) / 7744;
        EXPECT_DOUBLE_EQ(row.value({2}), bytes / 2 / (is_of(row, "printed") ? 1 : 16));
    }
    EXPECT_EQ(found, 3);
}

// The selectors and bands of the claims about the estimate and about best heights.
TEST(PyramidClaims, JudgeWhatTheySay) {
    const json study = harness::study_of(harness::experiments().at("pyramid"));
    const auto rows = rows_of("pyramid", plan_of(Preset::full));
    const auto claim = [&](const std::string& id) -> const json& {
        for (const json& one : study["claims"])
            if (one["id"] == id) return one;
        throw std::runtime_error("no claim " + id);
    };
    const auto values = [&](const std::vector<harness::Row>& of, const std::string& key) {
        std::set<std::string> found;
        for (const auto& row : of)
            found.insert(harness::selected_value(row, key).dump());
        return found;
    };
    using Texts = std::set<std::string>;
    std::size_t heights = 0, sweeps = 0;
    for (const auto& sweep : pyramid::sweeps_of(planned(harness::experiments().at("pyramid"), Preset::full)))
        if (sweep.variant == pyramid::paper_version) {
            heights += sweep.heights.size();
            ++sweeps;
        }
    // Each form by its own costs.
    for (const auto& [id, form] : {std::pair{"P4", "printed"}, {"P4b", "corrected"}}) {
        const auto judged = harness::select_rows(rows, {claim(id)["of"]["select"]});
        EXPECT_EQ(judged.size(), heights) << id;
        EXPECT_EQ(values(judged, "form"), Texts{json(form).dump()}) << id;
        EXPECT_EQ(values(judged, "quantity"), Texts{"\"estimated\""}) << id;
        EXPECT_EQ(claim(id)["tolerance"], 0.25) << id;
    }
    for (const auto& [id, form] : {std::pair{"P5", "printed"}, {"P5b", "corrected"}}) {
        const auto judged = harness::select_rows(rows, {claim(id)["of"]["select"]});
        EXPECT_EQ(judged.size(), sweeps) << id;
        EXPECT_EQ(values(judged, "by"), Texts{json(form).dump()}) << id;
        EXPECT_EQ(claim(id)["tolerance"], 0.05) << id;
    }
    // Best for best takes every version that streams at that size, and the same problem.
    const json& best = claim("P1-best")["pairs"];
    for (const char* side : {"numerator", "denominator"}) {
        const auto judged = harness::select_rows(rows, {best["select"], best[side]});
        EXPECT_EQ(values(judged, "variant").size(), 8U) << side;
        for (const char* key : {"n", "s", "budget_mib", "precision", "clock", "padding_rule"})
            EXPECT_EQ(values(judged, key).size(), 1U) << side << ", " << key;
    }
    EXPECT_EQ(values(harness::select_rows(rows, {best["select"], best["numerator"]}), "height"), Texts{"1"});
    const json& memory = claim("P6-best")["pairs"];
    EXPECT_EQ(values(harness::select_rows(rows, {memory["select"], memory["denominator"]}), "variant").size(),
              5U);
    // Of a shape, the highest height of its sweep is held against all others.
    for (const char* id : {"P1b", "P1d", "P1e"}) {
        const json& pairs = claim(id)["pairs"];
        const auto highest = harness::select_rows(rows, {pairs["select"], pairs["numerator"]}),
                   others = harness::select_rows(rows, {pairs["select"], pairs["denominator"]});
        ASSERT_EQ(highest.size(), 1U) << id;
        std::size_t timed = 0;
        for (const auto& row : rows)
            if (row.name.starts_with(highest[0].name.substr(0, highest[0].name.find("/h_"))) && row.is_time())
                ++timed;
        EXPECT_EQ(others.size() + 1, timed) << id;
    }
}

}  // namespace
}  // namespace gridmark::studies_tests::pyramid_estimate
