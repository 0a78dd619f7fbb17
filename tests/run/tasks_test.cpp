// Which rows of a plan a process measures, in which order and how many at a time.

#include <gtest/gtest.h>

#include "harness/run/measure.hpp"
#include "harness/run/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Rows = std::vector<std::vector<std::string>>;

Point point_of(const std::string& name, std::vector<Series> series) {
    return {{.name = name, .variant = "v"}, 1, 1, 1, std::move(series)};
}

class Tasks : public testing::Test {
  protected:
    Tasks() {
        plan.groups = {{"g",
                        {point_of("p", {{Series::Clock::kernel},
                                        {Series::Clock::step, Series::Launch::graph},
                                        {Series::Clock::wall}}),
                         point_of("q", {{Series::Clock::kernel}})}}};
        plan.computed = {
            {{.name = "error", .variant = "v"}, "error", "1", [this] { return 1.0 * ++calls; }},
            {{.name = "moved", .variant = "v", .unavailable = "no GPU"}, "moved", "B", [] { return 7.0; }}};
        plan.profiled = {{{.name = "l1", .variant = "v"}, {{"hits", "%", "h"}, {"loads", "1", "l"}}, "k"}};
        plan.differences = {{{.name = "cost", .variant = "v"}, "cost", "p/step/graph", "p/kernel/hot"}};
        plan.timelines = {{{.name = "t", .variant = "v"}},
                          {{.name = "u", .variant = "v", .unavailable = "no GPU"}}};
        plan.derived = {{{.name = "fit", .variant = "v"}, "slope", "us", {"p/wall"}}};
        for (const std::string& name : row_names(plan))
            wanted.insert(name);
    }
    std::vector<Task> tasks() { return tasks_of(plan, wanted, context, gpu_lost); }
    Rows rows() {
        Rows result;
        for (const Task& task : tasks())
            result.push_back(task.rows);
        return result;
    }

    int calls = 0;
    Plan plan;
    std::set<std::string> wanted;
    MeasureContext context{"e", {}, nullptr, {}, true};
    bool gpu_lost = false;
};

// The kernel clock's hooks would slow the step clock down.
TEST_F(Tasks, GoFromClockToClockAndThenToTheRest) {
    EXPECT_EQ(rows(), (Rows{{"p/wall"},
                            {"p/step/graph"},
                            {"p/kernel/hot", "q/kernel/hot"},
                            {"error"},
                            {"t/upload", "t/kernels", "t/download"},
                            {"l1/hits", "l1/loads"}}));
}

TEST_F(Tasks, OfLaterProcessesAreTimedOnly) {
    context.is_first = false;
    EXPECT_EQ(rows(), (Rows{{"p/wall"}, {"p/step/graph"}, {"p/kernel/hot", "q/kernel/hot"}}));
}

TEST_F(Tasks, AreOfTheRowsThatAreWanted) {
    wanted = {"q/kernel/hot", "moved", "t/kernels", "u/kernels", "l1/loads", "cost"};
    EXPECT_EQ(rows(), (Rows{{"q/kernel/hot"}, {"t/kernels"}, {"l1/loads"}}))
        << "moved and u cannot be had here";
    wanted.erase("t/kernels");
    plan.groups[0].points[1].unavailable = plan.profiled[0].unavailable = "no GPU";
    EXPECT_TRUE(rows().empty());
}

TEST_F(Tasks, ComputeWhenTheirTurnComes) {
    wanted = {"error"};
    const auto one = tasks();
    ASSERT_EQ(one.size(), 1U);
    EXPECT_EQ(calls, 0);
    const json found = one[0].measure();
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0]["name"], "error");
    EXPECT_EQ(found[0]["experiment"], "e");
    EXPECT_EQ(found[0]["median"], 1);
    EXPECT_EQ(calls, 1);
}

TEST_F(Tasks, GiveARowForEachOfTheirNames) {
    wanted = {"t/upload", "t/download"};
    plan.timelines[0].prepare = []() -> std::unique_ptr<Work> { throw std::runtime_error("cannot be made"); };
    const auto one = tasks();
    ASSERT_EQ(one.size(), 1U);
    std::vector<std::string> names;
    for (const Row& row : one[0].measure())
        names.push_back(row.name);
    EXPECT_EQ(names, one[0].rows);
}

}  // namespace

}  // namespace gridmark::harness
