#include "harness/run/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/compare/fastest.hpp"
#include "harness/machine/topology.hpp"
#include "harness/results/row.hpp"
#include "harness/run/fastest.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/verdict_lines.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// Lines of one kind, after a line that is empty; nothing where there are none.
std::string section(const std::string& lines) {
    return lines.empty() ? "" : '\n' + lines;
}

std::string rows_text(std::size_t count) {
    return fmt::format("{} row{}", count, count == 1 ? "" : "s");
}

std::size_t count(const std::vector<Row>& rows, Status status) {
    return static_cast<std::size_t>(
        std::count_if(rows.begin(), rows.end(), [&](const Row& row) { return row.status == status; }));
}

// How many rows were measured.

std::string counts_of(const MeasuredExperiment& experiment, bool filtered) {
    const std::vector<Row>& rows = experiment.file.rows;
    const std::size_t estimates = count(rows, Status::estimate),
                      measured = count(rows, Status::ok) + estimates, skipped = count(rows, Status::skipped),
                      failed = count(rows, Status::failed);
    std::string text = fmt::format("{} of {} measured", measured, rows_text(rows.size()));
    if (estimates > 0)
        text += estimates == measured ? " (estimates)"
                                      : fmt::format(" ({} estimate{})", estimates, estimates == 1 ? "" : "s");
    if (skipped > 0) text += fmt::format(", {} skipped", skipped);
    if (failed > 0) text += fmt::format(", {} failed", failed);
    if (experiment.file.context["complete"] == false)
        text += filtered ? "; INCOMPLETE (--filter)" : "; INCOMPLETE";
    return text;
}

/// Which experiments ran on other NUMA nodes than the GPU's.
std::string bindings(const FinishedRun& run, const Screen& screen) {
    std::map<std::string, std::vector<std::string>> experiments;  // by remark
    for (const auto& experiment : run.experiments)
        experiments[binding_remark(experiment.file.context.value("topology", json()))].push_back(
            experiment.id);
    std::string lines;
    for (const auto& [remark, ids] : experiments)
        if (!remark.empty())
            lines += wrap(fmt::format("{}: {}", fmt::join(ids, ", "), remark), screen.width, 4);
    return lines;
}

std::string counts(const FinishedRun& run, const Screen& screen) {
    std::size_t widest = 0;
    for (const auto& experiment : run.experiments)
        widest = std::max(widest, columns(experiment.id));
    std::string lines;
    for (const auto& experiment : run.experiments)
        lines += wrap(
            fmt::format("{} {}", pad(experiment.id + ':', widest + 1), counts_of(experiment, run.filtered)),
            screen.width, 4);
    for (const auto& [id, study, file, stolen] : run.experiments)
        if (stolen > noticed_share)
            lines += wrap(fmt::format("{}: the host of this virtual machine took {:.0f} % of its CPU time "
                                      "away, so wall times are longer than they need be",
                                      id, 100 * stolen),
                          screen.width, 4);
    for (const auto& experiment : run.experiments)
        if (const auto disturbed = std::ranges::count_if(
                experiment.file.rows, [](const Row& row) { return row.measured() && !row.fit(); }))
            lines += wrap(fmt::format("{}: {} disturbed by others on this machine: no verdict rests on {}; "
                                      "the same command measures {} anew",
                                      experiment.id, rows_text(static_cast<std::size_t>(disturbed)),
                                      disturbed == 1 ? "it" : "them", disturbed == 1 ? "it" : "them"),
                          screen.width, 4);
    return lines + bindings(run, screen);
}

// The fastest versions.

/// Of one experiment a handful, of several one each; on a machine with a GPU beside the reference's.
std::string fastest(const FinishedRun& run, const Screen& screen) {
    std::string lines;
    bool against = false;
    for (const auto& experiment : run.experiments) {
        const auto& [id, study, file, stolen] = experiment;
        json found;
        if (run.reference && run.reference->files.contains(id) && file.context["gpu"].is_object())
            found = fastest_of_two(id, study, run.reference->files.at(id), file, {});
        against = against || !found.is_null();
        if (found.is_null() && run.experiments.size() > 1) found = fastest_of(id, study, file);
        if (!found.is_null()) lines += wrap("  " + fastest_line(found), screen.width, 4);
    }
    std::string handful =
        run.experiments.size() == 1
            ? fastest_versions(run.experiments.front().study, run.experiments.front().file.rows, screen)
            : "";
    if (lines.empty()) return handful;
    const std::string title =
        against ? fmt::format("Fastest versions, {} -> here:", run.reference->directory.string())
                : "Fastest versions:";
    return handful + wrap(title, screen.width, 4) + limited(lines, 10, "gridmark compare");
}

// What was not measured.

/// Rows without a number that have one reason in common.
struct Lack {
    Status status;
    std::string reason;
    bool needs_gpu;
    std::size_t rows;
};

std::string describe(const Lack& lack) {
    if (lack.status == Status::failed) return fmt::format("{} failed: {}", rows_text(lack.rows), lack.reason);
    if (!lack.needs_gpu) return fmt::format("{} skipped: {}", rows_text(lack.rows), lack.reason);
    return fmt::format("{} need{} an NVIDIA GPU: {}", rows_text(lack.rows), lack.rows == 1 ? "s" : "",
                       lack.reason);
}

/// Failures first, then what most rows lack.
std::vector<Lack> lacks_of(const FinishedRun& run) {
    std::vector<Lack> lacks;
    for (const auto& experiment : run.experiments) {
        const json& context = experiment.file.context;
        for (const Row& row : experiment.file.rows) {
            if (row.measured()) continue;
            const auto found = std::find_if(lacks.begin(), lacks.end(), [&](const Lack& lack) {
                return lack.status == row.status && lack.reason == row.reason;
            });
            const bool needs_gpu =
                context["gpu"].is_null() && context["reasons"].value("gpu", "") == row.reason;
            if (found == lacks.end())
                lacks.push_back({row.status, row.reason, needs_gpu, 1});
            else
                ++found->rows;
        }
    }
    std::stable_sort(lacks.begin(), lacks.end(), [](const Lack& a, const Lack& b) {
        const bool a_failed = a.status == Status::failed, b_failed = b.status == Status::failed;
        return a_failed != b_failed ? a_failed : a.rows > b.rows;
    });
    return lacks;
}

std::string not_measured(const FinishedRun& run, const Screen& screen) {
    const std::size_t most = run.experiments.size() > 1 ? 2 : 6;
    const std::vector<Lack> lacks = lacks_of(run);
    std::string lines;
    std::size_t others = 0;
    for (std::size_t k = 0; k < lacks.size(); ++k) {
        if (k < most)
            lines += wrap(describe(lacks[k]), screen.width, 4);
        else
            others += lacks[k].rows;
    }
    if (others > 0)
        lines += wrap(fmt::format("{} more, for {} other reasons that the result files give",
                                  rows_text(others), lacks.size() - most),
                      screen.width, 4);
    return lines;
}

std::string every_row(const FinishedRun& run, const Screen& screen) {
    std::string lines;
    for (const auto& experiment : run.experiments)
        for (const Row& row : experiment.file.rows)
            if (row.measured()) lines += wrap(describe_row(row), screen.width, 4);
    return lines;
}

std::string end(const FinishedRun& run, const Screen& screen) {
    std::string lines = wrap(
        fmt::format("It took {}; the results are in {}", minutes(run.seconds), run.folder), screen.width, 4);
    const auto any = [&](const auto& holds) {
        return std::any_of(run.experiments.begin(), run.experiments.end(), holds);
    };
    if (any_emulated(run))
        lines += wrap("The processor is emulated: these times are no measurements, and decide nothing.",
                      screen.width, 4);
    else if (any([](const auto& one) { return one.file.context["preset"] == "quick"; }))
        lines +=
            wrap(run.own ? "The preset quick gives estimates; --preset paper takes three processes a number."
                         : "The preset quick gives estimates; --preset paper takes the published sizes.",
                 screen.width, 4);
    if (!run.own && !any_emulated(run) && any([](const auto& one) { return !one.study["claims"].empty(); }))
        lines +=
            wrap(fmt::format("Why each verdict: gridmark claims --machine {}", run.folder), screen.width, 4);
    return lines;
}

}  // namespace

std::string summary(const FinishedRun& run, const Screen& screen) {
    if (run.own)
        return section(counts(run, screen)) + section(every_row(run, screen)) +
               section(not_measured(run, screen)) + section(end(run, screen));
    const std::string before = section(limited(counts(run, screen), 7, "the result files")) +
                               section(fastest(run, screen)) + section(verdicts(run, screen)),
                      after = section(end(run, screen));
    constexpr std::size_t all = 37, least = 3;  // lines; what draws the report adds three
    const std::size_t taken = lines_of(before) + lines_of(after) + 1, room = all - std::min(taken, all);
    return before + section(limited(not_measured(run, screen), std::max(room, least), "the result files")) +
           after;
}

}  // namespace gridmark::harness
