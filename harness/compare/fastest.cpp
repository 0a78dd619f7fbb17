#include "harness/compare/fastest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "harness/compare/compare.hpp"
#include "harness/compare/document.hpp"
#include "harness/verdicts/pairs.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Sets = std::vector<const std::vector<Row>*>;

using RowsBySet = std::vector<std::vector<Row>>;

/// The times of each set that a selector takes, whatever became of them.
RowsBySet times_of(const Sets& sets, const json& select) {
    RowsBySet times;
    for (const auto* set : sets)
        times.push_back(select_rows(*set, std::vector<json>{select, json{{"quantity", "time"}}}));
    return times;
}

/// A version of which no check could have refused a wrong answer is not verified.
bool may_race(const Race& race, const Row& row) {
    return row.fit() && *row.median > 0 && !(row.verification && !row.verification->can_fail()) &&
           (!race.per_operation || row.flops.value_or(0) > 0);
}

/// The race between the rows that every set has tried, with or without success; none where a set has no time
/// of them.
std::optional<Race> race_between(const RowsBySet& times, Race race) {
    std::map<std::string, std::size_t> tried;
    for (const auto& rows : times)
        for (const Row& row : rows)
            ++tried[row.name];
    for (const auto& rows : times) {
        race.rows.emplace_back();
        race.alone.emplace_back();
        auto& alone = race.alone.back();
        for (const Row& row : rows) {
            if (!may_race(race, row)) continue;
            if (tried.at(row.name) == times.size())
                race.rows.back().push_back(row);
            else if (!alone || race.cost(row) < race.cost(*alone))
                alone = row;
        }
        if (race.rows.back().empty()) return std::nullopt;
    }
    for (std::size_t k = 0; k < times.size(); ++k)
        if (race.alone[k] && race.cost(*race.alone[k]) >= race.cost(race.fastest(k).front()))
            race.alone[k].reset();
    return race;
}

/// The numbers of a selector, such as a grid's size, and the selector without them.
struct Split {
    std::vector<std::string> numbers;
    json rest = json::object();
};

Split without_numbers(const json& select) {
    Split split;
    for (const auto& [key, value] : select.items())
        if (value.is_number())
            split.numbers.push_back(key);
        else
            split.rest[key] = value;
    return split;
}

/// "nx=64 ny=64": where a row stands at these keys.
std::string place_of(const Row& row, const std::vector<std::string>& keys) {
    std::string place;
    for (const std::string& key : keys) {
        const auto found = row.parameters.find(key);
        if (found == row.parameters.end()) return {};
        place += fmt::format("{}{}={}", place.empty() ? "" : " ", key, to_text(found->second));
    }
    return place;
}

/// The largest problem that all sets have and that is like the study's but for its numbers.
std::optional<Race> largest_race(const json& hardware, const Sets& sets) {
    const auto [numbers, rest] = without_numbers(hardware["select"]);
    std::map<std::string, RowsBySet> by_place;
    const RowsBySet times = times_of(sets, rest);
    for (std::size_t k = 0; k < sets.size(); ++k)
        for (const Row& row : times[k])
            if (const std::string place = place_of(row, numbers); !place.empty())
                by_place.try_emplace(place, sets.size()).first->second[k].push_back(row);
    std::optional<Race> largest;
    double most = -1;
    for (const auto& [place, rows] : by_place) {
        double operations = 0;
        for (const Row& row : rows.front())
            operations = std::max(operations, row.flops.value_or(0));
        if (operations <= most) continue;
        if (auto race = race_between(rows, {place, false, hardware["rows"], false, {}, {}})) {
            most = operations;
            largest = std::move(race);
        }
    }
    return largest;
}

json side(const Row& row) {
    return {
        {"name", row.name},
        {"variant", row.variant},
        {"clock", row.clock.empty() ? json() : json(row.clock)},
        {"value", *row.median},
        {"unit", row.unit},
        {"limit", row.limit ? json{{"ceiling", row.limit->ceiling}, {"share", row.limit->share}} : json()},
        {"estimate", row.status == Status::estimate}};
}

/// The row as it counts in a race: where the problems differ, by operation.
Row counted(const Race& race, Row row) {
    if (!race.per_operation) return row;
    for (double& sample : row.samples)
        sample /= *row.flops;
    *row.median /= *row.flops;
    return row;
}

json entry(const std::string& experiment, const Race& race) {
    return {{"experiment", experiment}, {"problem", race.problem}, {"headline", race.headline}};
}

}  // namespace

double Race::cost(const Row& row) const {
    return *row.median / (per_operation ? *row.flops : 1);
}

std::vector<Row> Race::fastest(std::size_t set) const {
    std::map<std::string, Row> best;
    for (const Row& row : rows.at(set)) {
        const auto [found, added] = best.try_emplace(label_of(row, by), row);
        if (!added && cost(row) < cost(found->second)) found->second = row;
    }
    std::vector<Row> ordered;
    for (const auto& [label, row] : best)
        ordered.push_back(row);
    std::sort(ordered.begin(), ordered.end(), [&](const Row& a, const Row& b) { return cost(a) < cost(b); });
    return ordered;
}

std::optional<Race> race_of(const json& study, const Sets& sets) {
    if (const auto hardware = study.find("hardware"); hardware != study.end()) {
        const json& rows = (*hardware)["rows"];
        if (auto race = race_between(times_of(sets, (*hardware)["select"]),
                                     {(*hardware)["title"], true, rows, false, {}, {}}))
            return race;
        if (auto race = largest_race(*hardware, sets)) return race;
    }
    return race_between(times_of(sets, json::object()),
                        {"by time for each operation", false, {"variant"}, true, {}, {}});
}

json fastest_of(const std::string& experiment, const json& study, const ResultFile& file) {
    const auto race = race_of(study, {&file.rows});
    if (!race) return nullptr;
    json found = entry(experiment, *race);
    found["new"] = side(race->fastest().front());
    return found;
}

json fastest_of_two(const std::string& experiment, const json& study, const ResultFile& base,
                    const ResultFile& fresh, const Margins& margins) {
    const auto race = race_of(study, {&base.rows, &fresh.rows});
    if (!race) return nullptr;
    const Row there = race->fastest(0).front(), here = race->fastest(1).front();
    const Row counted_there = counted(*race, there), counted_here = counted(*race, here);
    const ComparedRow compared =
        compared_row(margins, counted_there, base.context, counted_here, fresh.context);
    json found = entry(experiment, *race);
    found["base"] = side(there);
    found["new"] = side(here);
    for (const auto& [key, alone] : {std::pair("base", race->alone[0]), std::pair("new", race->alone[1])})
        found["alone"][key] = alone ? side(*alone) : json();
    found["verdict"] = compared.comparison.verdict;
    found["reason"] = compared.comparison.reason.empty() ? json() : json(compared.comparison.reason);
    put_ratio(found, compared);
    return found;
}

}  // namespace gridmark::harness
