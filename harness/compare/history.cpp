#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "harness/compare/compare.hpp"
#include "harness/compare/document.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// When a file's run began; the parts are empty where it does not say.
struct Timestamp {
    std::string date, time;
    bool operator<(const Timestamp& later) const {
        return std::tie(date, time) < std::tie(later.date, later.time);
    }
};

Timestamp timestamp_of(const ResultFile& file) {
    return {context_text(file.context, "/date"), context_text(file.context, "/time")};
}

/// Whether it is known which of the two came first.
bool are_ordered(const Timestamp& a, const Timestamp& b) {
    if (a.date.empty() || b.date.empty()) return false;
    return a.date != b.date || (!a.time.empty() && !b.time.empty() && a.time != b.time);
}

/// One experiment in the order of time.
struct History {
    std::vector<std::size_t> order;  ///< places of the sets that have it
    std::vector<const ResultFile*> files;
};

History history_of(const std::vector<ResultSet>& sets, const std::string& experiment) {
    History history;
    for (std::size_t place = 0; place < sets.size(); ++place)
        if (sets[place].files.contains(experiment)) history.order.push_back(place);
    std::stable_sort(history.order.begin(), history.order.end(), [&](std::size_t a, std::size_t b) {
        return timestamp_of(sets[a].files.at(experiment)) < timestamp_of(sets[b].files.at(experiment));
    });
    for (const std::size_t place : history.order)
        history.files.push_back(&sets[place].files.at(experiment));
    return history;
}

/// A row in every set, null where a set lacks it, in the order of a history.
using Track = std::vector<const Row*>;

std::map<std::string, Track> tracks_of(const History& history) {
    std::map<std::string, Track> tracks;
    for (std::size_t at = 0; at < history.files.size(); ++at)
        for (const Row& row : history.files[at]->rows) {
            Track& track = tracks[row.name];
            track.resize(history.files.size());
            track[at] = &row;
        }
    return tracks;
}

/// The steps of a row. Each set is held against the one where the last step was, not against the one before
/// it: so what creeps is found, too.
struct Steps {
    std::vector<std::pair<std::size_t, std::size_t>> at;  ///< from and to, in the order of the history
    std::vector<ComparedRow> rows;
    std::optional<ComparedRow> whole;  ///< the newest against the oldest
    std::size_t oldest = 0, newest = 0;
    bool comparable = false, resolved = false;
    std::string reason;  ///< why two of them are not
};

Steps steps_of(const Margins& margins, const History& history, const Track& track) {
    Steps steps;
    std::optional<std::size_t> level;
    const auto held = [&](std::size_t from, std::size_t to) {
        return compared_row(margins, *track[from], history.files[from]->context, *track[to],
                            history.files[to]->context);
    };
    for (std::size_t at = 0; at < track.size(); ++at) {
        if (track[at] == nullptr) continue;
        if (!level) {
            level = steps.oldest = at;
            continue;
        }
        const ComparedRow row = held(*level, at);
        const RowComparison& c = row.comparison;
        if (c.comparable())
            steps.comparable = true;
        else
            steps.reason = c.reason;
        if (c.resolved() || c.rough()) {
            steps.at.emplace_back(*level, at);
            steps.rows.push_back(row);
            steps.resolved = steps.resolved || c.resolved();
        }
        // A row without a number is no level; nor does a rough step take the place of one that resolves.
        if (c.resolved() || !track[*level]->fit() || (c.rough() && !enough_processes(*track[*level])))
            level = at;
        steps.newest = at;
    }
    if (steps.newest > steps.oldest) steps.whole = held(steps.oldest, steps.newest);
    return steps;
}

json step_entry(const Steps& steps, std::size_t k, const History& history,
                const std::vector<std::map<std::string, json>>& causes) {
    const ComparedRow& row = steps.rows[k];
    const auto [from, to] = steps.at[k];
    json step{{"from", history.order[from]},
              {"to", history.order[to]},
              {"verdict", row.comparison.verdict},
              {"cause", nullptr}};
    put_ratio(step, row);
    if (const auto cause = causes[to].find(row.fresh->name); cause != causes[to].end())
        step["cause"] = cause->second;
    return step;
}

json track_entry(const Track& track, const Steps& steps, const History& history, std::size_t sets,
                 const std::vector<std::map<std::string, json>>& causes) {
    json result = row_entry(*track[steps.newest > steps.oldest ? steps.newest : steps.oldest]);
    result["values"] = std::vector<json>(sets);
    for (std::size_t at = 0; at < track.size(); ++at)
        if (track[at] != nullptr) result["values"][history.order[at]] = number_or_null(track[at]->median);
    result["steps"] = json::array();
    for (std::size_t k = 0; k < steps.at.size(); ++k)
        result["steps"].push_back(step_entry(steps, k, history, causes));
    result["ratio"] = result["interval"] = result["reason"] = nullptr;
    result["newest"] = steps.whole ? json(steps.whole->comparison.verdict) : json();
    if (steps.whole) put_ratio(result, *steps.whole);
    result["verdict"] = !steps.whole        ? "in one set only"
                        : steps.resolved    ? "changed"
                        : !steps.at.empty() ? "roughly changed"
                        : steps.comparable  ? "no difference resolved"
                                            : "not comparable";
    if (steps.whole && !steps.comparable) result["reason"] = steps.reason;
    return result;
}

/// Of each set of a history what its machine caused, against the set before it.
std::vector<std::map<std::string, json>> causes_in(const Margins& margins, const std::string& experiment,
                                                   const History& history, json& all) {
    std::vector<std::map<std::string, json>> causes(history.files.size());
    for (std::size_t at = 1; at < history.files.size(); ++at) {
        const ResultFile &before = *history.files[at - 1], &after = *history.files[at];
        const auto found =
            find_causes(experiment, common_rows(margins, before, after), before.context, after.context);
        causes[at] = causes_by_row(found);
        for (const Cause& cause : found) {
            all.push_back(json_of(cause));
            all.back()["from"] = history.order[at - 1];
            all.back()["to"] = history.order[at];
        }
    }
    return causes;
}

/// The newest moment of a set's files.
Timestamp timestamp_of(const ResultSet& set) {
    Timestamp newest;
    for (const auto& [experiment, file] : set.files)
        newest = std::max(newest, timestamp_of(file));
    return newest;
}

json stragglers_of(const std::vector<const ResultSet*>& sets, const json& sides) {
    json slow = json::array();
    for (const Straggler& machine : stragglers(sets)) {
        slow.push_back(json_of(machine));
        slow.back()["directory"] = sides[machine.set]["directory"];
    }
    return slow;
}

}  // namespace

json compare_history(std::vector<ResultSet> sets, const std::vector<ResultSet>& more) {
    std::stable_sort(sets.begin(), sets.end(), [](const ResultSet& a, const ResultSet& b) {
        return timestamp_of(a) < timestamp_of(b);
    });
    std::vector<const ResultSet*> given;
    std::set<std::string> experiments;
    json sides = json::array();
    for (const ResultSet& set : sets) {
        given.push_back(&set);
        sides.push_back(side_of(set));
        for (const auto& [experiment, file] : set.files)
            experiments.insert(experiment);
    }
    const Margins margins(all_sets(given, more));
    json studies = json::array(), rows = json::array(), causes = json::array();
    std::map<std::string, int> summary{{"changed", 0},
                                       {"roughly changed", 0},
                                       {"no difference resolved", 0},
                                       {"not comparable", 0},
                                       {"in one set only", 0}};
    for (const std::string& experiment : experiments) {
        const History history = history_of(sets, experiment);
        const auto by_set = causes_in(margins, experiment, history, causes);
        std::size_t comparable = 0, changed = 0;
        for (const auto& [name, track] : tracks_of(history)) {
            const Steps steps = steps_of(margins, history, track);
            rows.push_back(track_entry(track, steps, history, sets.size(), by_set));
            ++summary[rows.back()["verdict"].get<std::string>()];
            if (steps.comparable) ++comparable;
            if (steps.resolved) ++changed;
        }
        studies.push_back({{"experiment", experiment},
                           {"order", history.order},
                           {"comparable", comparable},
                           {"changed", changed}});
    }
    return {{"sets", sides},
            {"summary", summary},
            {"studies", studies},
            {"causes", causes},
            {"stragglers", stragglers_of(given, sides)},
            {"disturbances", disturbances_of(given)},
            {"wall_margin", json_of(margins)},
            {"rows", rows}};
}

void check_order(const std::vector<ResultSet>& sets) {
    std::set<std::string> experiments;
    for (const ResultSet& set : sets)
        for (const auto& [experiment, file] : set.files)
            experiments.insert(experiment);
    for (const std::string& experiment : experiments) {
        const History history = history_of(sets, experiment);
        for (std::size_t at = 1; at < history.files.size(); ++at)
            if (!are_ordered(timestamp_of(*history.files[at - 1]), timestamp_of(*history.files[at])))
                throw UsageError(fmt::format(
                    "--fail-on: which is older, {} or {}? {}.json tells no two moments (context.date, "
                    "context.time); give two sets, BASE and NEW",
                    sets[history.order[at - 1]].directory.string(),
                    sets[history.order[at]].directory.string(), experiment));
    }
}

json rank_machines(const std::vector<ResultSet>& sets) {
    std::vector<const ResultSet*> given;
    json sides = json::array(), order = json::array();
    for (const ResultSet& set : sets) {
        given.push_back(&set);
        sides.push_back(side_of(set));
    }
    for (const Standing& standing : ranking(given))
        order.push_back(json_of(standing));
    if (order.empty())
        throw UsageError(fmt::format(
            "--rank: takes four sets of one GPU model, or {} of one program on nodes of a cluster without a "
            "GPU, that measured one experiment; there {} here",
            margin_runs + 1, sets.size() == 1 ? "is 1 set" : fmt::format("are {} sets", sets.size())));
    return {{"sets", sides},
            {"ranking", order},
            {"stragglers", stragglers_of(given, sides)},
            {"disturbances", disturbances_of(given)}};
}

}  // namespace gridmark::harness
