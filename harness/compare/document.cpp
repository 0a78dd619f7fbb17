#include "harness/compare/document.hpp"

#include <algorithm>

#include "harness/results/ratio.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

json text_or_null(const std::string& text) {
    return text.empty() ? json() : json(text);
}

json extreme(const std::optional<Extreme>& row) {
    return row ? json{{"name", row->name}, {"ratio", row->ratio}} : json();
}

/// The margin that a row of either side needs: the larger one, as both have been drawn from such runs.
std::optional<double> margin_of(const Margins& margins, const Row& base, const json& base_context,
                                const Row& fresh, const json& fresh_context) {
    if (base.clock != "wall" && fresh.clock != "wall") return std::nullopt;
    const auto left = margins.of(base, base_context), right = margins.of(fresh, fresh_context);
    return left && right ? std::optional(std::max(*left, *right)) : std::nullopt;
}

/// The resource and the ceiling that a row's change is put down to.
json short_cause(const Cause& cause) {
    return {{"resource", cause.resource},
            {"ceiling", cause.ceiling.empty() ? json() : json(cause.ceiling)},
            {"how", cause.how}};
}

}  // namespace

json number_or_null(const std::optional<double>& number) {
    return number ? json(*number) : json();
}

json row_entry(const Row& row) {
    return {{"experiment", row.experiment},
            {"name", row.name},
            {"variant", row.variant},
            {"quantity", row.quantity},
            {"unit", row.unit},
            {"clock", row.clock.empty() ? json() : json(row.clock)}};
}

void put_ratio(json& to, const ComparedRow& row) {
    const RowComparison& c = row.comparison;
    to["ratio"] = to["interval"] = nullptr;
    if (!row.base->fit() || !row.fresh->fit() || row.base->unit != row.fresh->unit ||
        !why_no_ratio(*row.fresh, *row.base).empty())
        return;
    to["ratio"] = c.ratio;
    if (!row.base->samples.empty() && !row.fresh->samples.empty())
        to["interval"] = {c.interval.low, c.interval.high};
}

NamedRows named_rows(const ResultFile& file) {
    NamedRows rows;
    for (const Row& row : file.rows)
        rows[row.name] = &row;
    return rows;
}

ComparedRow compared_row(const Margins& margins, const Row& base, const json& base_context, const Row& fresh,
                         const json& fresh_context) {
    const auto margin = margin_of(margins, base, base_context, fresh, fresh_context);
    return {&base, &fresh, compare_rows(base, fresh, margin), margin};
}

std::vector<ComparedRow> common_rows(const Margins& margins, const ResultFile& base,
                                     const ResultFile& fresh) {
    const NamedRows before = named_rows(base);
    std::vector<ComparedRow> rows;
    for (const auto& [name, row] : named_rows(fresh))
        if (const auto found = before.find(name); found != before.end())
            rows.push_back(compared_row(margins, *found->second, base.context, *row, fresh.context));
    return rows;
}

std::map<std::string, json> causes_by_row(const std::vector<Cause>& causes) {
    std::map<std::string, json> found;
    for (const Cause& cause : causes)
        for (const std::string& name : cause.rows)
            found.emplace(name, short_cause(cause));
    return found;
}

std::vector<const ResultSet*> all_sets(const std::vector<const ResultSet*>& sets,
                                       const std::vector<ResultSet>& more) {
    std::vector<const ResultSet*> all = sets;
    for (const ResultSet& set : more)
        all.push_back(&set);
    return all;
}

json side_of(const ResultSet& set) {
    json dates = json::object();
    std::string place;
    for (const auto& [experiment, file] : set.files) {
        dates[experiment] = text_or_null(context_text(file.context, "/date"));
        if (place.empty()) place = place_of(file.context);
    }
    return {{"directory", set.directory.string()},
            {"machine", set.machine},
            {"complete", set.complete},
            {"place", text_or_null(place)},
            {"dates", dates}};
}

json json_of(const Cause& cause) {
    const bool told = !cause.ceiling.empty();
    return {{"experiment", cause.experiment},
            {"resource", cause.resource},
            {"how", cause.how},
            {"ceiling", text_or_null(cause.ceiling)},
            {"base", told ? json(cause.base) : json()},
            {"new", told ? json(cause.fresh) : json()},
            {"unit", text_or_null(cause.unit)},
            {"ratio", told ? json(cause.ratio) : json()},
            {"bound", cause.bound},
            {"median", cause.median},
            {"rows", cause.rows}};
}

json json_of(const StudyAnswer& answer) {
    return {{"experiment", answer.experiment},
            {"word", answer.word()},
            {"same_program", answer.same_program},
            {"times",
             {{"comparable", answer.times},
              {"faster", answer.faster},
              {"slower", answer.slower},
              {"median", answer.median ? json(*answer.median) : json()},
              {"fastest", extreme(answer.fastest)},
              {"slowest", extreme(answer.slowest)}}},
            {"values", {{"comparable", answer.values}, {"differing", answer.differing}}},
            {"rough",
             {{"comparable", answer.rough.times},
              {"faster", answer.rough.faster},
              {"slower", answer.rough.slower},
              {"median", number_or_null(answer.rough.median)}}},
            {"walls_without_margin", answer.walls_without_margin}};
}

json json_of(const Straggler& machine) {
    return {{"set", machine.set},
            {"experiment", machine.experiment},
            {"resource", machine.resource},
            {"machines", machine.machines},
            {"ceiling", machine.ceiling ? json(*machine.ceiling) : json()},
            {"ceiling_ratio", machine.ceiling ? json(machine.ceiling_ratio) : json()},
            {"bound", machine.bound},
            {"slower", machine.slower},
            {"row", machine.row ? json(*machine.row) : json()},
            {"row_ratio", machine.row ? json(machine.row_ratio) : json()}};
}

json json_of(const Standing& standing) {
    return {{"set", standing.set},
            {"machines", standing.machines},
            {"experiment", standing.experiment},
            {"resource", standing.resource},
            {"by", standing.by},
            {"ratio", standing.ratio},
            {"slow", standing.slow}};
}

json json_of(const Margins& margins) {
    return {{"sets", margins.most_sets()}, {"needed", margin_runs}};
}

json disturbances_of(const std::vector<const ResultSet*>& sets) {
    json found = json::array();
    for (std::size_t place = 0; place < sets.size(); ++place)
        for (const auto& [experiment, file] : sets[place]->files)
            for (const std::string& what : disturbances(file.context))
                found.push_back({{"set", place},
                                 {"directory", sets[place]->directory.string()},
                                 {"experiment", experiment},
                                 {"what", what}});
    return found;
}

}  // namespace gridmark::harness
