#include "harness/compare/fastest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/compare/compare.hpp"
#include "harness/compare/document.hpp"
#include "harness/verdicts/pairs.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using Sets = std::vector<const std::vector<Row>*>;

/// The rows of each set that a selector takes and a race may use; none where a set has no such row.
std::vector<std::vector<Row>> raced_rows(const Sets& sets, const json& select) {
    const std::vector<json> selectors{select, json{{"quantity", "time"}, {"status", "measured"}}};
    std::vector<std::vector<Row>> rows;
    for (const auto* set : sets) {
        rows.push_back(select_rows(*set, selectors));
        std::erase_if(rows.back(), [](const Row& row) {
            return !(*row.median > 0) || (row.verification && !row.verification->can_fail());
        });
        if (rows.back().empty()) return {};
    }
    return rows;
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
    std::vector<std::map<std::string, std::vector<Row>>> by_place;
    for (const auto& rows : raced_rows(sets, rest)) {
        by_place.emplace_back();
        for (const Row& row : rows)
            if (const std::string place = place_of(row, numbers); !place.empty())
                by_place.back()[place].push_back(row);
    }
    std::optional<Race> largest;
    double most = -1;
    if (by_place.empty()) return largest;
    for (const auto& [place, rows] : by_place.front()) {
        const auto has = [&place = place](const auto& set) { return set.contains(place); };
        if (!std::all_of(by_place.begin(), by_place.end(), has)) continue;
        double operations = 0;
        for (const Row& row : rows)
            operations = std::max(operations, row.flops.value_or(0));
        if (operations <= most) continue;
        most = operations;
        largest = Race{place, false, hardware["rows"], false, {}};
        for (auto& set : by_place)
            largest->rows.push_back(set.at(place));
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
        if (auto rows = raced_rows(sets, (*hardware)["select"]); !rows.empty())
            return Race{(*hardware)["title"], true, (*hardware)["rows"], false, std::move(rows)};
        if (auto race = largest_race(*hardware, sets)) return race;
    }
    Race all{"by time for each operation", false, {"variant"}, true, raced_rows(sets, json::object())};
    for (auto& rows : all.rows) {
        std::erase_if(rows, [](const Row& row) { return !row.flops || *row.flops <= 0; });
        if (rows.empty()) return std::nullopt;
    }
    return all.rows.empty() ? std::nullopt : std::optional(std::move(all));
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
    found["verdict"] = compared.comparison.verdict;
    found["reason"] = compared.comparison.reason.empty() ? json() : json(compared.comparison.reason);
    put_ratio(found, compared);
    return found;
}

}  // namespace gridmark::harness
