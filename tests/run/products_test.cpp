// A preset's groups, from products of axes.

#include "harness/products.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Lines = std::vector<std::string>;

/// A toy's point: its memory beyond 10 bytes, `a` of them, is its own. "odd" cannot do an even a. Alone it
/// chooses b=1; "fixed" has no b.
std::vector<Point> toy_points(const PlanContext&, const std::string& variant, const Settings& settings) {
    const auto a = settings.integer("a", 1, 0, 100), b = settings.integer("b", 1, 0, 100);
    if (variant == "odd" && a % 2 == 0) throw std::invalid_argument("a must be odd");
    Point point;
    point.name = "toy/" + variant + "/" + std::to_string(a);
    if (variant != "fixed") point.name += "/" + std::to_string(b);
    point.name += "/" + settings.text("threads", "-");
    point.variant = variant;
    point.series = {{Series::Clock::wall}};
    point.on_gpu = variant == "any";
    point.own_memory = {static_cast<double>(a), point.on_gpu ? 2.0 * static_cast<double>(a) : 0};
    point.memory = {10 + point.own_memory.host, point.on_gpu ? 20 + point.own_memory.gpu : 0};
    return {point};
}

Experiment toy() {
    Experiment study;
    study.study = R"({"id": "toy", "claims": {}})";
    study.variants = {
        {"fixed", Variant::Kind::cpu}, {"odd", Variant::Kind::cpu}, {"any", Variant::Kind::cuda}};
    study.variants[2].uses = {"tiles", "queues"};
    study.axes = {"a", "b", "threads"};
    study.points = toy_points;
    return study;
}

Plan plan_of(const std::vector<Product>& products, Preset preset = Preset::quick, bool peers = false) {
    PlanContext context{};
    context.preset = preset;
    if (peers) context.peers.program = "some";
    Plan plan;
    add_products(plan, toy(), context, products);
    return plan;
}

/// "group: point point", one after the other.
Lines said(const Plan& plan) {
    Lines all;
    for (const Group& group : plan.groups) {
        all.push_back(group.name + ":");
        for (const Point& point : group.points)
            all.back() += " " + point.name;
    }
    return all;
}

TEST(Products, HaveAGroupForEachCombinationAndAPointForEachVersion) {
    const Product product{.each = {{"a", {"1", "2"}}},
                          .groups = {{.name = "size {a}", .members = {{.axes = {{"b", {"5", "6"}}}}}}}};
    EXPECT_EQ(said(plan_of({product})),
              (Lines{"size 1: toy/fixed/1/- toy/odd/1/5/- toy/odd/1/6/- toy/any/1/5/- toy/any/1/6/-",
                     "size 2: toy/fixed/2/- toy/any/2/5/- toy/any/2/6/-"}));
}

TEST(Products, SetTwoAxesByOneKeyAndHaveAPointOnce) {
    const Product product{.each = {{"a b", {"1 5", "3 7"}}},
                          .groups = {{.name = "{a}-{b}",
                                      .members = {{.versions = json::object({{"name", "odd"}}),
                                                   .axes = {{"threads", {"1", "6", "1"}}}}}}}};
    EXPECT_EQ(said(plan_of({product})),
              (Lines{"1-5: toy/odd/1/5/1 toy/odd/1/5/6", "3-7: toy/odd/3/7/1 toy/odd/3/7/6"}));
}

TEST(Products, TakeTheVersionsThatFit) {
    const auto members = [](const json& versions) {
        const Lines groups = said(plan_of({{{}, {{.name = "all", .members = {{.versions = versions}}}}}}));
        return groups.empty() ? "" : groups.at(0);
    };
    EXPECT_EQ(members(json::object({{"kind", "cpu"}})), "all: toy/fixed/1/- toy/odd/1/1/-");
    EXPECT_EQ(members(json::object({{"uses", {"tiles", "queues"}}})), "all: toy/any/1/1/-");
    EXPECT_EQ(members(json::object({{"uses", {"tiles", "other"}}})), "");
    EXPECT_EQ(members(json::object({{"lacks", "tiles"}, {"kind", "cuda"}})), "");
}

TEST(Products, LeaveOneVersionToAGroup) {
    const Axis versions = versions_axis(toy(), json::object({{"kind", "cpu"}}));
    EXPECT_EQ(said(plan_of({{{versions, {"a", {"1", "2"}}}, {{.name = "{variant}/{a}", .members = {{}}}}}})),
              (Lines{"fixed/1: toy/fixed/1/-", "fixed/2: toy/fixed/2/-", "odd/1: toy/odd/1/1/-"}));
}

TEST(Products, HaveTheSeriesOfThePointsOfTheGroupOrOfEach) {
    using enum Series::Clock;
    const auto clocks = [](const Members& members) {
        std::vector<Series::Clock> all;
        const Plan plan = plan_of({{{}, {{.name = "all", .members = {members}}}}});
        for (const Point& point : plan.groups.at(0).points)
            all.push_back(point.series.at(0).clock);
        return all;
    };
    Members members{.versions = json::object({{"name", "any"}}), .axes = {{"b", {"0", "1", "2"}}}};
    EXPECT_EQ(clocks(members), (std::vector{wall, wall, wall}));
    members.series = {{kernel}};
    EXPECT_EQ(clocks(members), (std::vector{kernel, kernel, kernel}));
    members.series_of = [](const Point& point) {
        return std::vector<Series>{{point.name == "toy/any/1/1/-" ? step : point.series.at(0).clock}};
    };
    EXPECT_EQ(clocks(members), (std::vector{kernel, step, kernel}));
}

TEST(Products, KeepWhatTheStudyKeeps) {
    const Members small{.versions = json::object({{"name", "any"}}),
                        .axes = {{"b", {"1", "2"}}},
                        .keeps = [](const std::string& variant, const AxisValues& values) {
                            return variant == "any" && values.at("a") + values.at("b") != "32";
                        }};
    EXPECT_EQ(said(plan_of({{{{"a", {"3", "4"}}}, {{.name = "{a}", .members = {small}}}}})),
              (Lines{"3: toy/any/3/1/-", "4: toy/any/4/1/- toy/any/4/2/-"}));
}

TEST(Products, BelongToTheirPresets) {
    const std::vector<Members> any{{.versions = json::object({{"name", "any"}})}};
    const std::vector<Product> products{
        {{}, {{.name = "always", .members = any}, {.name = "paper", .members = any, .from = Preset::paper}}},
        {{}, {{.name = "paper alone", .members = any}}, Preset::paper, Preset::paper},
        {{}, {{.name = "full", .members = any}}, Preset::full}};
    const auto groups = [&](Preset preset) {
        Lines names;
        for (const Group& group : plan_of(products, preset).groups)
            names.push_back(group.name);
        return names;
    };
    EXPECT_EQ(groups(Preset::quick), (Lines{"always"}));
    EXPECT_EQ(groups(Preset::paper), (Lines{"always", "paper", "paper alone"}));
    EXPECT_EQ(groups(Preset::full), (Lines{"always", "paper", "full"}));
}

TEST(Products, HaveValuesOfAGroup) {
    const GroupOf group{.name = "{a}",
                        .members = {{.versions = json::object({{"name", "any"}})}},
                        .values = {{"a", "4"}, {"b", "9"}}};
    EXPECT_EQ(said(plan_of({{{}, {group}}})), (Lines{"4: toy/any/4/9/-"}));
}

TEST(Products, HaveAGroupForPeersWhereTheyAreAsked) {
    const GroupOf group{.name = "peers",
                        .members = {{.versions = json::object({{"name", "any"}})}},
                        .add_peers =
                            [](Group& all, const PlanContext&, const AxisValues& values) {
                                all.points.push_back({});
                                all.points.back().name = "peer of " + values.at("a");
                            },
                        .peers_alone = true};
    const Product product{{{"a", {"3"}}}, {group}};
    EXPECT_EQ(said(plan_of({product})), Lines());
    EXPECT_EQ(said(plan_of({product}, Preset::quick, true)), (Lines{"peers: toy/any/3/1/- peer of 3"}));
}

TEST(Products, TakeWhatPointsShareOnceAndWhatEachOwns) {
    const Product product{{}, {{.name = "all", .members = {{.axes = {{"a", {"3", "5"}}}}}}}};
    const Group group = plan_of({product}).groups.at(0);
    ASSERT_EQ(group.points.size(), 6u);
    for (const Point& point : group.points) {
        EXPECT_EQ(point.memory.host, 10 + 3 * (3 + 5)) << point.name;
        EXPECT_EQ(point.memory.gpu, point.on_gpu ? 20 + 6 + 10 : 0)
            << point.name << ": it runs without a GPU";
    }
}

TEST(Products, DoNotWaitForWhatYields) {
    const json any = json::object({{"name", "any"}});
    const Members usual{.versions = any, .axes = {{"a", {"3", "5"}}}},
        choice{.versions = any, .axes = {{"a", {"20"}}}, .yields = true};
    const Group group = plan_of({{{}, {{.name = "all", .members = {choice, usual}}}}}).groups.at(0);
    ASSERT_EQ(group.points.size(), 3u);
    for (const Point& point : group.points)
        EXPECT_EQ(point.memory.host, 10 + 3 + 5 + (&point == &group.points.front() ? 20 : 0)) << point.name;
}

}  // namespace
}  // namespace gridmark::harness
