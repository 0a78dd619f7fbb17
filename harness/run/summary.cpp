#include "harness/run/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "harness/machine/topology.hpp"
#include "harness/results/row.hpp"
#include "harness/run/progress.hpp"
#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

std::string text(const json& object, const char* key) {
    return object[key].get<std::string>();
}

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
        if (constexpr double much = 0.02; stolen > much)
            lines += wrap(fmt::format("{}: the host of this virtual machine took {:.0f} % of its CPU time "
                                      "away, so wall times are longer than they need be",
                                      id, 100 * stolen),
                          screen.width, 4);
    for (const auto& experiment : run.experiments)
        if (const auto disturbed = std::ranges::count_if(
                experiment.file.rows, [](const Row& row) { return row.measured() && !row.fit(); }))
            lines += wrap(fmt::format("{}: {} disturbed by others on this machine: no verdict rests on {}",
                                      experiment.id, rows_text(static_cast<std::size_t>(disturbed)),
                                      disturbed == 1 ? "it" : "them"),
                          screen.width, 4);
    return lines + bindings(run, screen);
}

// Verdicts.

std::string painted(const Screen& screen, const std::string& verdict) {
    if (verdict == to_string(Verdict::reproduced)) return paint(screen, Colour::green, verdict);
    if (verdict == to_string(Verdict::not_reproduced)) return paint(screen, Colour::red, verdict);
    return paint(screen, Colour::yellow, verdict);
}

/// "1.32 to 1.81 (eight configurations)" loses its remark before anything else.
std::string without_remark(const std::string& published, std::size_t width) {
    if (columns(published) <= width) return published;
    return cut(published.substr(0, published.find(" (")), width);
}

/// What was measured loses its interval first.
std::string without_interval(const json& claim, std::size_t width) {
    const std::string words = measured_words(claim);
    return columns(words) <= width ? words : text(claim, "measured");
}

/// Widths of the columns of a verdict table; those between the claim and the verdict are 0 where the screen
/// has no room for them.
struct Widths {
    std::size_t claim = 5, published = 9, here = 4, verdict = 7;
};

Widths widths_of(const std::vector<json>& claims, std::size_t screen) {
    Widths w;
    for (const json& claim : claims) {
        w.claim = std::max(w.claim, columns(text(claim, "id")));
        w.published = std::max(w.published, columns(text(claim, "published")));
        w.here = std::max(w.here, columns(measured_words(claim)));
        w.verdict =
            std::max(w.verdict, columns(text(claim, "verdict")) + (claim["estimate"] == true ? 11 : 0));
    }
    constexpr std::size_t gaps = 6, least = 20;
    const std::size_t taken = w.claim + w.verdict + gaps, room = screen > taken ? screen - taken : 0;
    if (room < least) return {w.claim, 0, 0, w.verdict};
    const std::size_t rest = room > w.here ? room - w.here : 0;
    w.published = std::min(w.published, std::max(room * 2 / 5, rest));
    w.here = std::min(w.here, room - w.published);
    return w;
}

std::string verdict_table(const std::vector<json>& claims, const Screen& screen) {
    if (claims.empty()) return "";
    const Widths w = widths_of(claims, screen.width);
    const auto line = [&](const std::string& id, const std::string& published, const std::string& here,
                          const std::string& verdict) {
        std::string begin = pad(id, w.claim) + "  ";
        if (w.here > 0) begin += pad(published, w.published) + "  " + pad(here, w.here) + "  ";
        return begin + verdict + '\n';
    };
    std::string lines = line("claim", "published", "here", "verdict");
    for (const json& claim : claims)
        lines +=
            line(text(claim, "id"), without_remark(text(claim, "published"), w.published),
                 without_interval(claim, w.here),
                 painted(screen, text(claim, "verdict")) + (claim["estimate"] == true ? " (estimate)" : ""));
    return lines;
}

/// Why rows have no number, of all experiments.
std::set<std::string> reasons_of(const FinishedRun& run) {
    std::set<std::string> reasons;
    for (const auto& experiment : run.experiments)
        for (const Row& row : experiment.file.rows)
            if (!row.measured()) reasons.insert(row.reason);
    return reasons;
}

bool any_emulated(const FinishedRun& run) {
    return std::any_of(run.experiments.begin(), run.experiments.end(),
                       [](const auto& one) { return is_emulated(one.file.context); });
}

std::string verdict_counts(const std::vector<json>& claims) {
    std::string line;
    for (const Verdict verdict : {Verdict::reproduced, Verdict::trend_only, Verdict::not_reproduced,
                                  Verdict::inconclusive, Verdict::not_run}) {
        const auto n = std::count_if(claims.begin(), claims.end(), [&](const json& claim) {
            return claim["verdict"] == to_string(verdict);
        });
        if (n > 0) line += fmt::format("{}{} {}", line.empty() ? "" : ", ", n, to_string(verdict));
    }
    return line;
}

std::string verdicts(const FinishedRun& run, const Screen& screen) {
    if (any_emulated(run)) return {};
    std::vector<json> decided, shown;
    for (const auto& experiment : run.experiments)
        for (const json& claim : experiment.study["claims"])
            decided.push_back(decided_claim(experiment.id, experiment.study, claim, experiment.file.rows));
    const std::set<std::string> reasons = reasons_of(run);
    std::vector<std::pair<std::string, std::vector<std::string>>> not_run;  // by reason, in order
    std::vector<std::string> left_out;
    std::vector<json> bearing;  // claims that rows of this run bear on
    for (const json& claim : decided) {
        const std::string id = text(claim, "id"), because = text(claim, "because");
        const bool decides = claim["verdict"] != to_string(Verdict::not_run);
        if (!decides && run.filtered && !reasons.contains(because)) {
            left_out.push_back(id);
            continue;
        }
        bearing.push_back(claim);
        if (decides) {
            shown.push_back(claim);
            continue;
        }
        auto group = std::find_if(not_run.begin(), not_run.end(),
                                  [&](const auto& entry) { return entry.first == because; });
        if (group == not_run.end()) group = not_run.insert(group, {because, {}});
        group->second.push_back(id);
    }
    std::string lines = verdict_table(shown, screen);
    for (const auto& [because, ids] : not_run)
        lines += wrap(fmt::format("NOT RUN: {} ({})", fmt::join(ids, ", "), because), screen.width, 4);
    if (!left_out.empty())
        lines += wrap(fmt::format("Left out by --filter: {}", fmt::join(left_out, ", ")), screen.width, 4);
    if (bearing.size() > 1) {
        const std::string chance = chance_words(bearing);
        lines += wrap(fmt::format("{} claims: {}{}{}", bearing.size(), verdict_counts(bearing),
                                  chance.empty() ? "" : "; ", chance),
                      screen.width, 4);
    }
    return lines;
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
    constexpr std::size_t most = 6;
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
    std::string text = section(counts(run, screen)) + section(verdicts(run, screen));
    if (run.experiments.size() == 1) {
        const auto& [id, study, file, stolen] = run.experiments.front();
        text += section(fastest_versions(study, file.rows, screen));
    }
    return text + section(not_measured(run, screen)) + section(end(run, screen));
}

}  // namespace gridmark::harness
