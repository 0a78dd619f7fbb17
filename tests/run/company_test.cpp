// What others took while rows were measured: which rows it marks, and what becomes of those.

#include "harness/run/company.hpp"

#include <gtest/gtest.h>

#include "harness/results/result_file.hpp"
#include "harness/run/combined.hpp"
#include "harness/run/rows.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Texts = std::vector<std::string>;

Row timed(const std::string& name, const char* clock) {
    return tests::timed_row(name, tests::about(10), {{"clock", clock}});
}

/// Sees `taken` between two looks, of rows of this clock.
Witness witness(std::string clock, Texts taken, int* looks = nullptr) {
    return {[taken = std::move(taken), looks] {
                if (looks != nullptr) ++*looks;
                return [taken] { return taken; };
            },
            [clock = std::move(clock)](const Row& row) { return row.clock == clock; }};
}

TEST(Company, MarksTheRowsThatItConcerns) {
    int looks = 0;
    const std::vector<Witness> witnesses{witness("wall", {"others took the CPU"}, &looks),
                                         witness("kernel", {"a process on the GPU", "its clock fell"}),
                                         witness("kernel", {})};
    std::vector<Row> rows{timed("w", "wall"), timed("k", "kernel"), timed("s", "step"),
                          tests::row_without_time("x", "failed", "it crashed", {{"clock", "wall"}})};
    Company company(witnesses);
    EXPECT_EQ(looks, 1) << "it looks before the group";
    company.mark(rows, false);
    ASSERT_TRUE(rows[0].disturbed && rows[1].disturbed);
    EXPECT_EQ(rows[0].disturbed->by, Texts{"others took the CPU"});
    EXPECT_EQ(rows[1].disturbed->by, (Texts{"a process on the GPU", "its clock fell"}));
    EXPECT_FALSE(rows[2].disturbed) << "nobody saw what concerns it";
    EXPECT_FALSE(rows[3].disturbed) << "it holds no number";
}

TEST(Company, ThatWasThereBeforeIsToldWithWhatCannotBeSeen) {
    json company{{"gpu", {"a process of 3 GiB", "another program"}}};
    const std::string others = "a process of 3 GiB, another program: what is measured there is disturbed";
    EXPECT_EQ(company_lines(company, true), Texts{others});
    EXPECT_EQ(company_lines(company, false),
              Texts{others + " and gives no verdict (--allow-shared lets it)"});
    company["unseen"] = "the driver hides processes";
    EXPECT_EQ(company_lines(company, true).back(), "cannot be seen here: the driver hides processes");
    company["gpu"] = json::array();
    EXPECT_EQ(company_lines(company, false), Texts{"cannot be seen here: the driver hides processes"});
    company.erase("unseen");
    EXPECT_EQ(company_lines(company, false), Texts{}) << "nobody is there, and all can be seen";
}

TEST(Company, OnAGpuConcernsWhatWasMeasuredThere) {
    GpuWatch nobody(unknown<std::string>("no GPU"));
    const Witness witness = witness_of(nobody);
    Row timeline, profiled, computed;
    timeline.quantity = "busy";
    profiled.quantity = "l1_hit_rate";
    profiled.counted_by = "hits.sum";
    computed.quantity = "error";
    for (const Row& row : {timed("k", "kernel"), timed("s", "step"), timeline, profiled})
        EXPECT_TRUE(witness.concerns(row)) << row.name << row.quantity;
    for (const Row& row : {timed("w", "wall"), computed})
        EXPECT_FALSE(witness.concerns(row)) << row.name << row.quantity;
    EXPECT_TRUE(witness.look()().empty());
}

Row disturbed(const std::string& name, bool allowed) {
    Row row = timed(name, "wall");
    row.disturb({{"others took 40 %"}, allowed});
    return row;
}

const Standards lax{Preset::paper, 1, true};

TEST(ADisturbedRow, IsAnEstimateThatSaysWhy) {
    Row row = disturbed("r", false);
    finish_row(row, lax);
    EXPECT_EQ(row.status, Status::estimate);
    EXPECT_EQ(row.reason, "disturbed: others took 40 %");
    EXPECT_TRUE(row.measured());
    EXPECT_FALSE(row.fit());
}

TEST(ADisturbedRow, CountsWhereThatIsAllowedAndStaysMarked) {
    Row row = disturbed("r", true);
    finish_row(row, lax);
    EXPECT_EQ(row.status, Status::ok);
    EXPECT_TRUE(row.fit());
    const Row read = json(row);
    ASSERT_TRUE(read.disturbed);
    EXPECT_EQ(read.disturbed->by, row.disturbed->by);
    EXPECT_TRUE(read.disturbed->allowed);
    EXPECT_NO_THROW(check_row(json(row), "row"));
}

TEST(ADisturbedRow, MarksWhatItIsJoinedTo) {
    const Row calm = timed("r", "wall");
    for (const auto& [earlier, later] :
         {std::pair{disturbed("r", false), calm}, {calm, disturbed("r", false)}})
        EXPECT_FALSE(join_processes(earlier, later).fit());
    EXPECT_TRUE(join_processes(calm, calm).fit());
}

TEST(ADisturbedRow, MarksWhatIsMadeOfIt) {
    const std::vector<Row> rows{
        tests::timed_row("a", tests::about(10), {{"status", "estimate"}, {"reason", "preset quick"}}),
        disturbed("b", false)};
    const auto find = [&](const std::string& name) { return name == "a" ? &rows[0] : &rows[1]; };
    const Row difference = difference_row("e", {{.name = "d", .variant = "v"}, "cost", "a", "b"}, find, lax);
    const Row derived = derived_row("e",
                                    {{.name = "f", .variant = "v"},
                                     "slope",
                                     "us",
                                     {"a", "b"},
                                     [](const std::vector<double>& of) { return of[0] + of[1]; }},
                                    find);
    for (const Row& row : {difference, derived}) {
        EXPECT_FALSE(row.fit());
        EXPECT_EQ(row.status, Status::estimate);
    }
}

}  // namespace
}  // namespace gridmark::harness
