#include "harness/run/summary.hpp"

#include <gtest/gtest.h>

#include <sstream>

#include "harness/run/progress.hpp"
#include "tests/support/documents.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::about;
using tests::row_without_time;
using tests::timed_row;

const char* const no_driver = "no CUDA driver found";

/// A claim about the ratio of two variants' times.
json claim(const std::string& id, const std::string& numerator, const std::string& denominator,
           double published, const std::string& text) {
    return {{"id", id},
            {"statement", "One is faster."},
            {"kind", "ratio"},
            {"published", {{"text", text}, {"value", published}}},
            {"pairs",
             {{"numerator", {{"variant", numerator}}},
              {"denominator", {{"variant", denominator}}},
              {"by", {"nx"}},
              {"select", {{"quantity", "time"}}}}},
            {"tolerance", 0.1}};
}

json row(const std::string& variant, const std::string& place, double time, const json& changes = {}) {
    json result = timed_row("jacobi/" + variant + '/' + place, about(time), {{"variant", variant}});
    if (!changes.is_null()) result.update(changes);
    return result;
}

json skipped(const std::string& variant, const std::string& reason) {
    return row_without_time("jacobi/" + variant, "skipped", reason, {{"variant", variant}});
}

json limit(double share, const std::string& ceiling) {
    return {{"limit", {{"ceiling", ceiling}, {"value", 1}, {"unit", "us"}, {"share", share}}}};
}

MeasuredExperiment experiment(const json& claims, const json& rows, const std::string& id = "jacobi") {
    MeasuredExperiment result{
        id, {{"claims", claims}, {"errata", json::array()}}, tests::document(rows, id).get<ResultFile>()};
    result.file.context["gpu"] = nullptr;
    result.file.context["reasons"]["gpu"] = no_driver;
    return result;
}

std::string shown(const std::vector<MeasuredExperiment>& experiments, std::size_t width = 80,
                  bool filtered = false) {
    return summary({experiments, filtered, false, 83, "results/local"}, {.width = width});
}

std::string shown_own(const std::vector<MeasuredExperiment>& experiments) {
    return summary({experiments, false, true, 83, "results/own"}, {.width = 80});
}

::testing::AssertionResult holds(const std::string& text, const std::string& lines) {
    if (text.find('\n' + lines) != std::string::npos) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << "no\n" << lines << "in" << text;
}

TEST(Summary, IsOneScreenThatAPersonReads) {
    json rows{row("cpu_a", "8/one/wall", 30, limit(0.25, "cpu_triad")), row("cpu_b", "8/wall", 10)};
    for (int k = 0; k < 3; ++k)
        rows.push_back(skipped("gpu_" + std::to_string(k), no_driver));
    const json claims{claim("J1", "cpu_a", "cpu_b", 3, "threefold (on one thread)"),
                      claim("J2", "gpu_0", "gpu_1", 3, "3"), claim("J3", "gpu_1", "gpu_2", 3, "3")};
    EXPECT_EQ(shown({experiment(claims, rows)}), R"(
jacobi: 2 of 5 rows measured, 3 skipped

Fastest versions: by time for each operation
  cpu_b  8/wall      10 us  limit unknown
  cpu_a  8/one/wall  30 us  25 % of cpu_triad

claim  published                  here                         verdict
J1     threefold (on one thread)  3.00, interval 2.96 to 3.04  REPRODUCED
NOT RUN: J2, J3 (no CUDA driver found)
3 claims: 1 REPRODUCED, 2 NOT RUN

3 rows need an NVIDIA GPU: no CUDA driver found

It took 1:23; the results are in results/local
Why each verdict: gridmark claims --machine results/local
)");
}

TEST(Summary, CountsWhatOthersDisturbed) {
    const auto by_others = [](bool allowed) {
        return json{
            {"disturbed", {{"by", json::array({"others took 20 % of the CPU"})}, {"allowed", allowed}}}};
    };
    const json disturbed = by_others(false), allowed = by_others(true);
    json rows{row("cpu_a", "8/wall", 30, disturbed), row("cpu_b", "8/wall", 10),
              row("cpu_b", "9/wall", 10, allowed)};
    EXPECT_TRUE(holds(shown({experiment(json::array(), rows)}, 200),
                      "jacobi: 1 row disturbed by others on this machine: no verdict rests on it; "
                      "the same command measures it anew\n"));
    rows.push_back(row("cpu_c", "8/wall", 20, disturbed));
    EXPECT_TRUE(holds(shown({experiment(json::array(), rows)}, 200),
                      "jacobi: 2 rows disturbed by others on this machine: no verdict rests on them; "
                      "the same command measures them anew\n"));
    rows = {row("cpu_b", "8/wall", 10), row("cpu_b", "9/wall", 10, allowed)};
    EXPECT_EQ(shown({experiment(json::array(), rows)}, 200).find("disturbed by others"), std::string::npos);
}

TEST(Summary, DecidesNothingOnAnEmulatedProcessor) {
    MeasuredExperiment one = experiment(json::array({claim("J1", "cpu_a", "cpu_b", 3, "3")}),
                                        {row("cpu_a", "8/one/wall", 30), row("cpu_b", "8/wall", 10)});
    one.file.context["preset"] = "quick";
    EXPECT_NE(shown({one}).find("REPRODUCED"), std::string::npos);
    one.file.context["cpu"]["emulated"] = true;
    for (const std::string& text : {shown({one}), shown_own({one})}) {
        EXPECT_TRUE(
            holds(text, "The processor is emulated: these times are no measurements, and decide nothing.\n"));
        EXPECT_EQ(text.find("REPRODUCED"), std::string::npos) << text;
        EXPECT_EQ(text.find("estimates"), std::string::npos) << text;
        EXPECT_EQ(text.find("Why each verdict"), std::string::npos) << text;
    }
}

TEST(Summary, OfSeveralExperimentsIsOne) {
    MeasuredExperiment heat = experiment(json::array(), json{row("cpu_a", "8", 30)}, "heat");
    heat.file.context["complete"] = false;
    heat.cpu_stolen = 0.3;
    MeasuredExperiment jacobi =
        experiment(json::array(), {row_without_time("a", "failed", "crash"), row("b", "8", 3)});
    jacobi.file.context["preset"] = "quick";
    EXPECT_EQ(shown({heat, jacobi}), R"(
heat:   1 of 1 row measured; INCOMPLETE
jacobi: 1 of 2 rows measured, 1 failed
heat: the host of this virtual machine took 30 % of its CPU time away, so wall
    times are longer than they need be

Fastest versions:
  heat: cpu_a 30 us (limit unknown); by time for each operation
  jacobi: b 3 us (limit unknown); by time for each operation

1 row failed: crash

It took 1:23; the results are in results/local
The preset quick gives estimates; --preset paper takes the published sizes.
)");
    heat.cpu_stolen = 0.02;
    EXPECT_EQ(shown({heat, jacobi}).find("virtual machine"), std::string::npos);
}

TEST(Summary, SaysWhenARunWasBoundToAnotherNodeThanTheGpus) {
    MeasuredExperiment heat = experiment(json::array(), json{row("cpu_a", "8", 30)}, "heat"),
                       jacobi = experiment(json::array(), json{row("cpu_a", "8", 30)});
    for (MeasuredExperiment* each : {&heat, &jacobi})
        each->file.context["topology"] = {{"gpu_numa_nodes", "1"}, {"bound_numa_nodes", "0"}};
    EXPECT_TRUE(holds(shown({heat, jacobi}),
                      "heat, jacobi: bound to CPUs of NUMA node 0, but the GPU hangs on node 1:\n"
                      "    launches and transfers take the way between\n"));
    heat.file.context["topology"]["bound_numa_nodes"] = "0-1";
    EXPECT_TRUE(holds(shown({heat, jacobi}), "jacobi: bound to CPUs of NUMA node 0,"));
    jacobi.file.context["topology"] = nullptr;
    EXPECT_EQ(shown({heat, jacobi}).find("bound to"), std::string::npos);
}

TEST(Summary, SaysWhichNumbersAreEstimates) {
    const json changes{{"status", "estimate"}, {"reason", "preset quick"}};
    const json claims{claim("J1", "a", "b", 3, "3")};
    std::string text = shown({experiment(claims, {row("a", "8", 30, changes), row("b", "8", 10)})});
    EXPECT_TRUE(holds(text, "jacobi: 2 of 2 rows measured (1 estimate)\n"));
    EXPECT_TRUE(holds(text, "  a  8  30 us (estimate)  limit unknown\n"));
    EXPECT_TRUE(holds(text, "J1     3          3.00, interval 2.96 to 3.04  REPRODUCED (estimate)\n"));
    text = shown({experiment(claims, {row("a", "8", 30, changes), row("b", "8", 10, changes)})});
    EXPECT_TRUE(holds(text, "jacobi: 2 of 2 rows measured (estimates)\n"));
    EXPECT_TRUE(holds(text, "Fastest versions (estimates): by time for each operation\n"));
    EXPECT_TRUE(holds(text, "  a  8  30 us  limit unknown\n"));
}

TEST(Summary, RacesTheProblemThatMachinesAreComparedBy) {
    const json hardware{{"title", "Eight points"}, {"select", {{"clock", "kernel"}}}, {"rows", {"variant"}}};
    const json other = row("c", "9/x/hot", 1, {{"clock", "step"}});
    MeasuredExperiment one =
        experiment(json::array(), {row("a", "8/x/y/hot", 20, limit(0.5, "gpu_l2")), row("a", "8/x/z/hot", 15),
                                   row("b", "8/x/z/hot", 12345), other});
    one.study["hardware"] = hardware;
    EXPECT_TRUE(holds(shown({one}),
                      "Fastest versions: Eight points\n"
                      "  a  z/hot     15 us  limit unknown\n"
                      "  b  z/hot  12.35 ms  limit unknown\n\n"))
        << "z is no part of the problem: a row has y";
    one.file.rows = {row("a", "8/x/hot", 15)};
    EXPECT_TRUE(holds(shown({one}), "  a  hot  15 us  limit unknown\n"));
    EXPECT_TRUE(holds(shown({one}, 59), "  a  kernel  15 us  limit unknown\n"))
        << "the clock is always named";
    one.file.rows = {other};
    EXPECT_TRUE(holds(shown({one}),
                      "Fastest versions: by time for each operation\n  c  9/x/hot  1 us  limit unknown\n"));
    json rows;
    for (int k = 9; k > 0; --k)
        rows.push_back(row("v" + std::to_string(k), "8", 10 * k, {{"flops", k == 9 ? 1e9 : 1}}));
    const std::string text = shown({experiment(json::array(), rows)});
    EXPECT_TRUE(holds(text, "  v9  8  90 us  limit unknown\n  v1  8  10 us")) << "less time an operation";
    EXPECT_TRUE(holds(text, "  v4  8  40 us  limit unknown\n\n")) << "a handful";
}

TEST(Summary, NamesClaimsThatTheFilterLeftOut) {
    const json claims{claim("J1", "a", "b", 3, "3"), claim("J2", "a", "c", 3, "3"),
                      claim("J3", "gpu", "b", 3, "3")};
    const json rows{row("a", "8", 30), row("b", "8", 10), skipped("gpu", no_driver)};
    const std::string text = shown({experiment(claims, rows)}, 80, true);
    EXPECT_TRUE(holds(text, "NOT RUN: J3 (no CUDA driver found)\nLeft out by --filter: J2\n2 claims: 1"));
    EXPECT_EQ(shown({experiment(claims, rows)}).find("--filter"), std::string::npos);
    MeasuredExperiment incomplete = experiment(claims, rows);
    incomplete.file.context["complete"] = false;
    EXPECT_TRUE(holds(shown({incomplete}, 80, true),
                      "jacobi: 2 of 3 rows measured, 1 skipped; INCOMPLETE (--filter)\n"));
}

TEST(Summary, GroupsRowsWithoutANumberByReason) {
    json rows{row_without_time("a", "failed", "crash"), skipped("b", "no AVX"), skipped("b", "no AVX")};
    for (int k = 0; k < 9; ++k)
        rows.push_back(skipped("c", "needs " + std::to_string(k) + " GiB"));
    rows.push_back(skipped("gpu", no_driver));
    for (int k = 0; k < 3; ++k)
        rows.push_back(skipped("d",
                               "a reason that is far too long for a single line of eighty columns, and "
                               "goes on"));
    MeasuredExperiment one = experiment(json::array(), rows);
    EXPECT_TRUE(holds(shown({one}), R"(1 row failed: crash
3 rows skipped: a reason that is far too long for a single line of eighty
    columns, and goes on
2 rows skipped: no AVX
1 row skipped: needs 0 GiB
1 row skipped: needs 1 GiB
1 row skipped: needs 2 GiB
7 rows more, for 7 other reasons that the result files give
)"));
    one.file.rows = {skipped("gpu", no_driver)};
    EXPECT_TRUE(holds(shown({one}), "1 row needs an NVIDIA GPU: no CUDA driver found\n"));
    one.file.context["gpu"] = json::object();
    EXPECT_TRUE(holds(shown({one}), "1 row skipped: no CUDA driver found\n"));
}

TEST(Summary, FitsTheScreen) {
    const std::string published =
        "größer, for λ = 0.382 and 256³ points (which no screen of ours shows whole)";
    const json rows{row("a_variant_with_a_long_name", "8/and/a/long/configuration/wall", 30,
                        limit(0.25, "cpu_fma_peak_float_all_threads")),
                    row("b", "8", 10), skipped("gpu", no_driver)};
    const json claims{claim("J1", "a_variant_with_a_long_name", "b", 3, published),
                      claim("J2", "gpu", "b", 3, "3")};
    for (std::size_t width = 24; width <= 140; ++width) {
        std::istringstream text(shown({experiment(claims, rows)}, width));
        for (std::string line; std::getline(text, line);)
            EXPECT_LE(columns(line), width) << line;
    }
    EXPECT_TRUE(holds(shown({experiment(claims, rows)}, 60),
                      "claim  published        here                      verdict\n"
                      "J1     größer, for ...  3.00                      REPRODUCED\n"));
    EXPECT_TRUE(holds(shown({experiment(claims, rows)}, 30), "claim  verdict\nJ1     REPRODUCED\n"));
}

/// A study of many claims about the times of two versions, which all have one ratio.
MeasuredExperiment much_claimed(const std::string& id, double ratio, std::size_t claims) {
    json declared = json::array(), rows = json::array();
    for (std::size_t k = 0; k < claims; ++k)
        declared.push_back(claim(id + std::to_string(k), "a", "b", 3, "3"));
    for (int k = 0; k < 20; ++k)
        rows.push_back(
            skipped("c", "needs " + std::to_string(k) + " GiB, and a reason that is far too long"));
    rows.push_back(row("a", "8", 10 * ratio));
    rows.push_back(row("b", "8", 10));
    return experiment(declared, rows, id);
}

// With what drawing says there are three lines more.
TEST(Summary, IsOneScreenHoweverMuchWasClaimed) {
    for (const std::size_t studies : {1U, 5U}) {
        std::vector<MeasuredExperiment> all;
        for (std::size_t k = 0; k < studies; ++k)
            all.push_back(much_claimed("study_" + std::to_string(k), 0.3, 40));
        for (const std::size_t width : {80U, 100U}) {
            const std::string text = shown(all, width);
            EXPECT_LE(lines_of(text), 37U) << text;
            EXPECT_NE(text.find("Verdicts that surprise, NOT REPRODUCED:"), std::string::npos) << text;
            EXPECT_NE(text.find("lines more: gridmark claims"), std::string::npos) << text;
        }
    }
}

TEST(Summary, AgainstAReferenceNamesTheVerdictsThatDiffer) {
    const auto run = [](double here, double there, bool gpu) {
        FinishedRun run{{much_claimed("study", here, 40)}, false, false, 1, "r"};
        if (gpu) run.experiments[0].file.context["gpu"] = json::object();
        run.reference =
            ResultSet{"results/card", "Card", true, {{"study", much_claimed("study", there, 1).file}}};
        if (there == 0) run.reference->files.at("study").rows.clear();
        return summary(run, {.width = 100});
    };
    EXPECT_NE(run(3, 0, false).find("No verdict is other than the reference's."), std::string::npos)
        << "one that lacks the rows says nothing";
    // There version a is the fastest, here b.
    EXPECT_NE(run(3, 3, true).find("No verdict is other than the reference's."), std::string::npos);
    const std::string other = run(3, 0.3, true);
    EXPECT_NE(other.find("REPRODUCED, reference: NOT REPRODUCED"), std::string::npos) << other;
    EXPECT_TRUE(holds(other,
                      "Fastest versions, results/card -> here:\n  study: a 3 us (limit unknown) -> "
                      "b 10 us (limit unknown), "))
        << other;
    EXPECT_EQ(run(3, 0.3, false).find("results/card ->"), std::string::npos)
        << "a CPU beside a card's times is no comparison";
}

// No claim is about the user's own rows; each of them is told with its number.
TEST(Summary, TellsTheUsersOwnRowsInPlaceOfVerdicts) {
    const std::string text =
        shown_own({experiment({claim("J1", "a", "b", 3, "3")}, {row("a", "8", 30), row("b", "8", 10)})});
    EXPECT_TRUE(holds(text, describe_row(row("a", "8", 30)) + '\n'));
    EXPECT_TRUE(holds(text, describe_row(row("b", "8", 10)) + '\n'));
    EXPECT_EQ(text.find("J1"), std::string::npos) << text;
    EXPECT_EQ(text.find("claims"), std::string::npos) << text;
}

TEST(Summary, ColoursVerdictsWhereColourIs) {
    const json claims{claim("J1", "a", "b", 3, "3"), claim("J2", "b", "a", 3, "3")};
    const FinishedRun run{{experiment(claims, {row("a", "8", 30), row("b", "8", 10)})}, false, false, 1, "r"};
    EXPECT_EQ(summary(run, {}).find('\x1b'), std::string::npos);
    const std::string text = summary(run, {.colour = true});
    EXPECT_NE(text.find("  \x1b[32mREPRODUCED\x1b[0m\n"), std::string::npos);
    EXPECT_NE(text.find("  \x1b[31mNOT REPRODUCED\x1b[0m\n"), std::string::npos);
}

}  // namespace
}  // namespace gridmark::harness
