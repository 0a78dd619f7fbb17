#include "harness/run/verdict_lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

std::string text(const json& object, const char* key) {
    return object[key].get<std::string>();
}

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

/// The verdict, and what goes with it.
std::string remark(const json& claim) {
    return (claim["estimate"] == true ? std::string(" (estimate)") : "") +
           (claim.contains("reference") ? ", reference: " + text(claim, "reference") : "");
}

Widths widths_of(const std::vector<json>& claims, std::size_t screen) {
    Widths w;
    for (const json& claim : claims) {
        w.claim = std::max(w.claim, columns(text(claim, "id")));
        w.published = std::max(w.published, columns(text(claim, "published")));
        w.here = std::max(w.here, columns(measured_words(claim)));
        w.verdict = std::max(w.verdict, columns(text(claim, "verdict") + remark(claim)));
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
                 without_interval(claim, w.here), painted(screen, text(claim, "verdict")) + remark(claim));
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

/// Claims without a verdict, by the reason, what most of them lack first.
using NotRun = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// All claims of a run.
struct Decided {
    std::vector<json> bearing;  ///< claims that rows of this run bear on
    std::vector<json> shown;    ///< those of them that have a verdict
    NotRun not_run;
    std::vector<std::string> left_out;  ///< by --filter
};

/// What the reference says of a claim: its verdict, where it has one that tells.
std::string reference_verdict(const FinishedRun& run, const MeasuredExperiment& experiment,
                              const json& claim) {
    if (!run.reference || !run.reference->files.contains(experiment.id)) return {};
    const auto& file = run.reference->files.at(experiment.id);
    const std::string verdict =
        text(decided_claim(experiment.id, experiment.study, claim, file.rows, conditions_of(file.context)),
             "verdict");
    const bool tells = verdict != to_string(Verdict::not_run) && verdict != to_string(Verdict::inconclusive);
    return tells ? verdict : "";
}

Decided decided_claims(const FinishedRun& run) {
    Decided decided;
    const std::set<std::string> reasons = reasons_of(run);
    for (const auto& experiment : run.experiments) {
        const Conditions conditions = conditions_of(experiment.file.context);
        for (const json& declared : experiment.study["claims"]) {
            json claim =
                decided_claim(experiment.id, experiment.study, declared, experiment.file.rows, conditions);
            const std::string id = text(claim, "id"), because = text(claim, "because");
            const bool decides = claim["verdict"] != to_string(Verdict::not_run);
            if (!decides && run.filtered && !reasons.contains(because)) {
                decided.left_out.push_back(id);
                continue;
            }
            if (decides) {
                if (const std::string there = reference_verdict(run, experiment, declared);
                    !there.empty() && claim["verdict"] != there &&
                    claim["verdict"] != to_string(Verdict::inconclusive))
                    claim["reference"] = there;
                decided.shown.push_back(claim);
            } else {
                auto group = std::find_if(decided.not_run.begin(), decided.not_run.end(),
                                          [&](const auto& entry) { return entry.first == because; });
                if (group == decided.not_run.end()) group = decided.not_run.insert(group, {because, {}});
                group->second.push_back(id);
            }
            decided.bearing.push_back(claim);
        }
    }
    std::stable_sort(decided.not_run.begin(), decided.not_run.end(),
                     [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
    return decided;
}

/// The verdicts, or where they are too many for the screen those that surprise.
std::string verdict_lines(const FinishedRun& run, const std::vector<json>& claims, const Screen& screen) {
    constexpr std::size_t most = 9, few = 6;  // lines, with the heading
    if (claims.size() < most) return verdict_table(claims, screen);
    std::vector<json> surprising;
    for (const json& claim : claims)
        if (run.reference ? claim.contains("reference")
                          : claim["verdict"] == to_string(Verdict::not_reproduced))
            surprising.push_back(claim);
    const std::string which =
        run.reference ? "other than the reference's" : to_string(Verdict::not_reproduced);
    if (surprising.empty()) return wrap(fmt::format("No verdict is {}.", which), screen.width, 4);
    return wrap(fmt::format("Verdicts that surprise, {}:", which), screen.width, 4) +
           limited(verdict_table(surprising, screen), few, "gridmark claims");
}

/// "NOT RUN: J2, J3 (no CUDA driver found)", a line each; of several experiments how many, in one.
std::string not_run_lines(const FinishedRun& run, const NotRun& not_run, const Screen& screen) {
    if (not_run.empty()) return {};
    const auto total = [&](std::size_t from) {
        std::size_t claims = 0;
        for (std::size_t k = from; k < not_run.size(); ++k)
            claims += not_run[k].second.size();
        return claims;
    };
    const std::size_t most = run.experiments.size() > 1 ? 1 : 3;
    std::string lines;
    for (std::size_t k = 0; k < std::min(most, not_run.size()); ++k) {
        const auto& [because, ids] = not_run[k];
        std::string line = run.experiments.size() > 1
                               ? fmt::format("{} NOT RUN: {}", ids.size(), because)
                               : fmt::format("NOT RUN: {} ({})", fmt::join(ids, ", "), because);
        if (k + 1 == most && not_run.size() > most)
            line += fmt::format("; {} more for other reasons", total(most));
        lines += wrap(line, screen.width, 4);
    }
    return lines;
}

}  // namespace

bool any_emulated(const FinishedRun& run) {
    return std::any_of(run.experiments.begin(), run.experiments.end(),
                       [](const auto& one) { return is_emulated(one.file.context); });
}

std::string verdicts(const FinishedRun& run, const Screen& screen) {
    if (any_emulated(run)) return {};
    const Decided decided = decided_claims(run);
    std::string lines = verdict_lines(run, decided.shown, screen) +
                        limited(not_run_lines(run, decided.not_run, screen), 4, "gridmark claims");
    if (!decided.left_out.empty())
        lines += limited(
            wrap(fmt::format("Left out by --filter: {}", fmt::join(decided.left_out, ", ")), screen.width, 4),
            3, "gridmark claims");
    if (decided.bearing.size() > 1) {
        const std::string chance = chance_words(decided.bearing);
        lines += wrap(fmt::format("{} claims: {}{}{}", decided.bearing.size(), tally_words(decided.bearing),
                                  chance.empty() ? "" : "; ", chance),
                      screen.width, 4);
    }
    return lines;
}

}  // namespace gridmark::harness
