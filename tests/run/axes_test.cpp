// The words of --axis and --variant, and the plan that they make.

#include "harness/axes.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "harness/experiment.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using Words = std::vector<std::string>;

Words values(const std::string& word) {
    return parse_axes({word}, {}).axes.at(0).values;
}

TEST(Axes, AreListsAndRanges) {
    EXPECT_EQ(values("nx=512,1000"), (Words{"512", "1000"}));
    EXPECT_EQ(values("nx=4096:65536:*2"), (Words{"4096", "8192", "16384", "32768", "65536"}));
    EXPECT_EQ(values("threads=1:8:+3"), (Words{"1", "4", "7"}));
    EXPECT_EQ(values("nx=7,16:40:*3"), (Words{"7", "16"}));
    EXPECT_EQ(values("precision=float"), (Words{"float"}));
    EXPECT_EQ(values("n=9223372036854775807:9223372036854775807:*2").size(), 1u);
    EXPECT_EQ(values("n=-9223372036854775807:9223372036854775807:+9223372036854775807").size(), 3u);
}

TEST(Axes, RefuseOtherWords) {
    for (const char* word : {"nx", "=3", "nx=", "nx=1,", "nx=1:2", "nx=1:2:3", "nx=1:2:*1", "nx=0:2:*2",
                             "nx=1:2:+0", "nx=5:2:*2", "nx=a:b:*2", "nx=1:2:*x", "nx=1:2:*2:3", "nx=1,1",
                             "nx=1,1:4:*2", "nx=99999999999999999999:1:*2"})
        EXPECT_THROW(parse_axes({word}, {}), UsageError) << word;
    EXPECT_THROW(parse_axes({"nx=1", "nx=2"}, {}), UsageError);
    EXPECT_THROW(parse_axes({}, {"a,b", "a"}), UsageError);
}

TEST(Axes, RefuseATooLongRangeWithItsCount) {
    const auto why = tests::message_of<UsageError>([] { parse_axes({"nx=1:1000000:+1"}, {}); });
    EXPECT_NE(why.find("1000000 values"), std::string::npos) << why;
}

TEST(Axes, HoldAsManyCombinationsAsARunTakes) {
    EXPECT_EQ(values("n=1:10000:+1").size(), most_combinations);
    EXPECT_THROW(values("n=1:10001:+1"), UsageError);
}

TEST(Axes, HaveTheLastOneVaryFastest) {
    const std::vector<Axis> two{{"a", {"1", "2"}}, {"b", {"x", "y", "z"}}};
    using Values = std::map<std::string, std::string>;
    EXPECT_EQ(combination(two, 0), (Values{{"a", "1"}, {"b", "x"}}));
    EXPECT_EQ(combination(two, 2), (Values{{"a", "1"}, {"b", "z"}}));
    EXPECT_EQ(combination(two, 3), (Values{{"a", "2"}, {"b", "x"}}));
    EXPECT_EQ(combination({}, 0), Values());
}

Axes axes(const Words& words, const Words& variants = {}) {
    return parse_axes(words, variants);
}

/// A study with two variants: `fixed` takes no notice of b, `odd` cannot do an even a.
std::vector<Point> points(const PlanContext&, const std::string& variant, const Settings& settings) {
    const auto a = settings.integer("a", 1, 0, 100), b = settings.integer("b", 1, 0, 100);
    if (variant == "odd" && a % 2 == 0) throw std::invalid_argument("a must be odd");
    Point point;
    point.name = "toy/" + variant + "/" + std::to_string(a);
    if (variant == "odd") point.name += "/" + std::to_string(b);
    point.variant = variant;
    point.memory.host = 40;
    point.series = {{Series::Clock::wall}};
    return {point};
}

Experiment toy() {
    Experiment experiment;
    experiment.study = R"({"id": "toy"})";
    experiment.variants = {{"fixed", Variant::Kind::cpu}, {"odd", Variant::Kind::cpu}};
    experiment.axes = {"a", "b"};
    experiment.points = points;
    return experiment;
}

Plan plan_of(const Axes& asked, std::size_t memory = 1000) {
    PlanContext context{};
    context.host_memory = memory;
    context.axes = asked;
    return axes_plan(toy(), context);
}

Words names(const Plan& plan) {
    Words all;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            all.push_back(point.name);
    return all;
}

TEST(AxesPlan, HasEveryCombinationTheLastAxisFastest) {
    EXPECT_EQ(names(plan_of(axes({"a=1,3", "b=5,6"}, {"odd"}))),
              (Words{"toy/odd/1/5", "toy/odd/1/6", "toy/odd/3/5", "toy/odd/3/6"}));
}

TEST(AxesPlan, HasAVariantOnceForTheValuesThatItHasNoUseFor) {
    EXPECT_EQ(names(plan_of(axes({"a=1", "b=5,6"}, {"fixed"}))), (Words{"toy/fixed/1"}));
}

TEST(AxesPlan, SaysWhyACombinationCannotRun) {
    const Plan plan = plan_of(axes({"a=2"}));
    ASSERT_EQ(names(plan), (Words{"toy/fixed/2", "toy/odd/a=2"}));
    EXPECT_EQ(plan.groups.at(0).points.at(1).unavailable, "a must be odd");
    EXPECT_EQ(plan.groups.at(0).points.at(1).series.size(), 1u);
}

TEST(AxesPlan, HasARowOfItsClockWhereAVariantCannotDoIt) {
    Experiment study = toy();
    study.variants = {{"odd", Variant::Kind::cuda}};
    PlanContext context{};
    context.axes = axes({"a=2", "b=5"});
    const Point point = axes_plan(study, context).groups.at(0).points.at(0);
    EXPECT_EQ(point.name, "toy/odd/a=2/b=5");
    EXPECT_TRUE(point.on_gpu);
    EXPECT_EQ(point.series.at(0).clock, Series::Clock::kernel);
    EXPECT_EQ(point.parameters, parameters_from({{"a", "2"}, {"b", "5"}}));
}

TEST(AxesPlan, SaysWhyThisMachineCannotRunAVariant) {
    Experiment study = toy();
    study.variants.at(1).unavailable = "needs AVX-512";
    PlanContext context{};
    context.axes = axes({"a=1,2"}, {"odd"});
    const Plan plan = axes_plan(study, context);
    EXPECT_EQ(plan.groups.at(0).points.at(0).unavailable, "needs AVX-512");
    EXPECT_EQ(plan.groups.at(1).points.at(0).unavailable, "a must be odd") << "here it could not anyway";
}

TEST(AxesPlan, RefusesAValueThatIsNoneOfItsKeys) {
    EXPECT_EQ(tests::message_of<UsageError>([] { plan_of(axes({"a=x"})); }),
              "--axis a=x: not a whole number");
    EXPECT_THROW(plan_of(axes({"c=1"})), UsageError);
}

TEST(AxesPlan, MeasuresInTurnsWhatFitsTheMemoryTogether) {
    const auto sizes = [](std::size_t memory) {
        std::vector<std::size_t> counts;
        for (const Group& group : plan_of(axes({"a=1"}), memory).groups)
            counts.push_back(group.points.size());
        return counts;
    };
    EXPECT_EQ(sizes(80), (std::vector<std::size_t>{2}));
    EXPECT_EQ(sizes(79), (std::vector<std::size_t>{1, 1}));
    EXPECT_EQ(plan_of(axes({"a=1"}), 79).groups.at(1).name, "axes/cpu/a=1/part_2");
}

TEST(AxesPlan, ListsWhatThereIsWhereAKeyOrAVariantIsNot) {
    const auto why = [](const Axes& asked) {
        return tests::message_of<UsageError>([&] { check_axes(toy(), asked); });
    };
    EXPECT_NE(why(axes({"c=1"})).find("toy has a, b"), std::string::npos);
    EXPECT_NE(why(axes({"a=1"}, {"even"})).find("toy has fixed, odd"), std::string::npos);
    EXPECT_NE(why(axes({"a=1:5000:+1", "b=1:9000:+1"})).find("90000000 combinations"), std::string::npos);
    Experiment none = toy();
    none.points = nullptr;
    EXPECT_THROW(check_axes(none, axes({"a=1"})), UsageError);
}

TEST(CheckAxes, TakesAsManyCombinationsAndVariantsAsARunMay) {
    EXPECT_NO_THROW(check_axes(toy(), axes({"a=1:5000:+1"}))) << "of two variants";
    EXPECT_NO_THROW(check_axes(toy(), axes({"a=1:10000:+1"}, {"odd"})));
    EXPECT_THROW(check_axes(toy(), axes({"a=1:5001:+1"})), UsageError);
}

TEST(AxesOf, ARowAreItsParametersThatAreKeys) {
    Row row;
    row.variant = "odd";
    row.parameters = parameters_from({{"a", 3}, {"b", true}, {"cache", "hot"}});
    EXPECT_EQ(axes_of(row, toy()).text(), "a=3 b=yes odd");
}

TEST(Axes, GoToAProcessAndBack) {
    const Axes asked = axes({"a=1,3", "b=5"}, {"odd"});
    EXPECT_EQ(axes_from_json(to_json(asked)).text(), asked.text());
    EXPECT_EQ(asked.text(), "a=1,3 b=5 odd");
    EXPECT_EQ(Axes{}.text(), "");
    EXPECT_FALSE(Axes{}.given());
    EXPECT_TRUE((Axes{{}, {"odd"}}.given()));
    EXPECT_TRUE((Axes{{{"a", {"1"}}}, {}}.given()));
}

}  // namespace
}  // namespace gridmark::harness
