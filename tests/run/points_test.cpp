// What the points of studies are made of: sides of a grid, memory of the device, parts of a step, threads.

#include "harness/points.hpp"

#include <gtest/gtest.h>

#include "harness/availability.hpp"
#include "harness/usage_error.hpp"
#include "tests/support/temporary_folder.hpp"

namespace gridmark::harness {
namespace {

using Words = std::map<std::string, std::string>;

Settings axis_words(const Words& words) {
    return {words, {"n", "nx", "ny", "nz", "budget_mib", "part", "threads"}, "--axis"};
}

GridSize grid_size(const Words& words) {
    return grid_size_of(axis_words(words), 48, 100);
}

TEST(GridSizeOf, IsACubeOrItsThreeSides) {
    EXPECT_EQ(grid_size({}), GridSize(48));
    EXPECT_EQ(grid_size({{"n", "7"}}), GridSize(7, 7, 7));
    EXPECT_EQ(grid_size({{"nx", "7"}, {"nz", "9"}}), GridSize(7, 48, 9));
    EXPECT_EQ(grid_size({{"ny", "8"}}), GridSize(48, 8, 48));
    EXPECT_EQ(GridSize(2000, 3000, 4000).points(), 24e9) << "more than an int holds";
}

TEST(GridSizeOf, LiesBetweenOneAndTheLongest) {
    EXPECT_EQ(grid_size({{"nx", "1"}, {"ny", "100"}}), GridSize(1, 100, 48));
    for (const char* key : {"n", "nx", "ny", "nz"})
        for (const char* side : {"0", "-1", "101", "1.5", ""})
            EXPECT_THROW(grid_size({{key, side}}), UsageError) << key << '=' << side;
    for (const char* key : {"nx", "ny", "nz"})
        EXPECT_THROW(grid_size({{"n", "7"}, {key, "7"}}), UsageError) << "both at once: " << key;
}

TEST(AxisBudget, IsTheAxisElseTheOptionElseWhatTheStudyTakes) {
    PlanContext context{};
    EXPECT_EQ(axis_budget(context, axis_words({}), 256), 256);
    context.device_memory = std::size_t{3} << 29;
    EXPECT_EQ(axis_budget(context, axis_words({}), 256), 1536) << "bytes as MiB";
    EXPECT_EQ(axis_budget(context, axis_words({{"budget_mib", "0.5"}}), 256), 0.5);
    EXPECT_EQ(axis_budget(context, axis_words({{"budget_mib", "16777216"}}), 256), 0x1p24);
    for (const char* budget : {"0", "-1", "16777217", "x"})
        EXPECT_THROW(axis_budget(context, axis_words({{"budget_mib", budget}}), 256), UsageError) << budget;
}

TEST(PartOf, IsOneOfThreeWords) {
    EXPECT_EQ(part_of(axis_words({})), Part::whole);
    EXPECT_EQ(part_of(axis_words({{"part", "whole"}})), Part::whole);
    EXPECT_EQ(part_of(axis_words({{"part", "transfers"}})), Part::transfers);
    EXPECT_EQ(part_of(axis_words({{"part", "kernels"}})), Part::kernels);
    EXPECT_THROW(part_of(axis_words({{"part", "half"}})), UsageError);
}

/// A step through the device, cut down to a part.
Point part_of_a_step(Part part) {
    Point point;
    point.name = "heat/streamed";
    point.bytes = 1000;
    point.flops = 700;
    point.launches = 3;
    point.transfers = {.uploaded = 40, .downloaded = 20, .waits = 2, .buffers = 8};
    keep_part(point, part);
    return point;
}

TEST(KeepPart, LeavesTheWholeAsItIs) {
    const Point whole = part_of_a_step(Part::whole);
    EXPECT_EQ(whole.name, "heat/streamed");
    EXPECT_TRUE(whole.parameters.empty());
    EXPECT_EQ(whole.bytes, 1000);
    EXPECT_EQ(whole.transfers.uploaded, 40);
}

TEST(KeepPart, LeavesOfTheTransfersNoKernel) {
    const Point transfers = part_of_a_step(Part::transfers);
    EXPECT_EQ(transfers.name, "heat/streamed/transfers");
    EXPECT_EQ(transfers.parameters.at("part"), Value("transfers"));
    EXPECT_EQ(transfers.bytes, 60) << "those of both ways";
    EXPECT_EQ(transfers.flops, 0);
    EXPECT_EQ(transfers.launches, 0);
    EXPECT_EQ(transfers.transfers.waits, 2);
}

TEST(KeepPart, LeavesOfTheKernelsNoTransferButItsBuffers) {
    const Point kernels = part_of_a_step(Part::kernels);
    EXPECT_EQ(kernels.name, "heat/streamed/kernels");
    EXPECT_EQ(kernels.parameters.at("part"), Value("kernels"));
    EXPECT_EQ(kernels.bytes, 1000);
    EXPECT_EQ(kernels.launches, 3);
    EXPECT_FALSE(kernels.transfers.over_link());
    EXPECT_EQ(kernels.transfers.waits, 0);
    EXPECT_EQ(kernels.transfers.buffers, 8) << "they lie on the device all the same";
}

TEST(Transfers, GoOverTheLinkEitherWay) {
    EXPECT_TRUE(Transfers{.uploaded = 1}.over_link());
    EXPECT_TRUE(Transfers{.downloaded = 1}.over_link());
    EXPECT_FALSE((Transfers{.host_bytes = 1, .exchange = {1, 1}}.over_link()));
}

TEST(RequireMemory, NamesWhatNeedsMoreThanIsFree) {
    EXPECT_NO_THROW(require_memory("the fields", 0));
    const std::string why = tests::message_of<UsageError>([] { require_memory("the fields", 0x1p60); });
    EXPECT_TRUE(why.starts_with("the fields need 1073741824.0 GiB of host memory, ")) << why;
    EXPECT_TRUE(why.ends_with(" are free")) << why;
}

TEST(PrecisionName, IsTheTypes) {
    EXPECT_STREQ(precision_name<float>, "float");
    EXPECT_STREQ(precision_name<double>, "double");
}

PlanContext with_threads_to_use(int threads) {
    PlanContext context{};
    context.threads = threads;
    return context;
}

Point of_team(const Team& team, const std::string& unavailable = "") {
    Point point;
    point.name = "toy";
    point.unavailable = unavailable;
    add_team(point, with_threads_to_use(6), team);
    return point;
}

TEST(Team, IsNamedByHowManyOfAllItHas) {
    const PlanContext six = with_threads_to_use(6);
    EXPECT_EQ(team_of(six, 1).name, "one");
    EXPECT_EQ(team_of(six, 5).name, "some");
    EXPECT_EQ(team_of(six, 6).name, "all");
    EXPECT_EQ(team_of(six, 7).name, "some");
    EXPECT_EQ(team_of(with_threads_to_use(1), 1).name, "all") << "one that is all";
    EXPECT_EQ(team_of(six, axis_words({})).threads, 6);
    EXPECT_EQ(team_of(six, axis_words({{"threads", "4096"}})).threads, 4096);
    for (const int threads : {1, 6}) {
        const PlanContext context = with_threads_to_use(threads);
        EXPECT_EQ(team_of(context, axis_words({{"threads", "one"}})).name, "one");
        EXPECT_EQ(team_of(context, axis_words({{"threads", "one"}})).threads, 1);
        EXPECT_EQ(team_of(context, axis_words({{"threads", "all"}})).name, "all");
        EXPECT_EQ(team_of(context, axis_words({{"threads", "all"}})).threads, threads);
    }
    for (const char* threads : {"0", "4097", "x"})
        EXPECT_THROW(team_of(six, axis_words({{"threads", threads}})), UsageError) << threads;
}

TEST(Team, StandsInThePointsNameAndParameters) {
    EXPECT_EQ(of_team({"one", 1}).name, "toy/one_thread");
    EXPECT_EQ(of_team({"all", 6}).name, "toy/all_threads");
    EXPECT_EQ(of_team({"some", 3}).name, "toy/3_threads");
    EXPECT_EQ(of_team({"cores", 3}).name, "toy/cores_threads") << "a study's own word";
    EXPECT_EQ(of_team({"some", 3}).parameters, parameters_from({{"team", "some"}, {"threads", 3}}));
}

TEST(Team, OfMoreThreadsThanThereAreCannotRun) {
    EXPECT_EQ(of_team({"all", 6}).unavailable, "");
    EXPECT_EQ(of_team({"some", 7}).unavailable, "needs 7 threads, and 6 may be used here");
    EXPECT_EQ(of_team({"some", 7}, "needs SVE").unavailable, "needs SVE") << "the first reason stays";
}

}  // namespace
}  // namespace gridmark::harness
