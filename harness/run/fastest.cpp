#include "harness/run/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "harness/results/row.hpp"
#include "harness/verdicts/pairs.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// Times that can be compared, and how.
struct Race {
    std::string title;
    std::vector<Row> rows;
    json by;             ///< keys that tell versions apart
    bool per_operation;  ///< the problems differ in size
};

/// The problem that the study compares machines by; where no row of it was measured, all problems.
Race race_of(const json& study, const std::vector<Row>& rows) {
    const json measured{{"quantity", "time"}, {"status", "measured"}};
    if (const auto hardware = study.find("hardware"); hardware != study.end())
        if (auto found = select_rows(rows, {(*hardware)["select"], measured}); !found.empty())
            return {(*hardware)["title"], std::move(found), (*hardware)["rows"], false};
    auto all = select_rows(rows, {measured});
    std::erase_if(all, [](const Row& row) { return !row.flops || *row.flops <= 0; });
    return {"by time for each operation", std::move(all), {"variant"}, true};
}

/// The best row of each version, the fastest first.
std::vector<Row> fastest(const Race& race) {
    const auto cost = [&](const Row& row) { return *row.median / (race.per_operation ? *row.flops : 1); };
    std::map<std::string, Row> best;
    for (const Row& row : race.rows) {
        const auto [found, added] = best.try_emplace(label_of(row, race.by), row);
        if (!added && cost(row) < cost(found->second)) found->second = row;
    }
    std::vector<Row> rows;
    for (const auto& [label, row] : best)
        rows.push_back(row);
    std::sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return cost(a) < cost(b); });
    return rows;
}

/// A row's name without its study and variant: "512x256/float/32x32/32x8/l1/kernel/hot".
std::string configuration(const Row& row) {
    const std::string begin = row.experiment + '/' + row.variant + '/';
    return row.name.starts_with(begin) ? row.name.substr(begin.size()) : row.name;
}

/// How much of the configurations' beginning all rows share, in whole parts: "512x256/float/".
std::size_t shared_beginning(const std::vector<Row>& rows) {
    const std::string first = configuration(rows.front());
    std::size_t shared = 0;
    for (std::size_t end; (end = first.find('/', shared)) != std::string::npos; shared = end + 1) {
        const std::string begin = first.substr(0, end + 1);
        if (!std::all_of(rows.begin(), rows.end(),
                         [&](const Row& row) { return configuration(row).starts_with(begin); }))
            break;
    }
    return shared;
}

bool is_estimate(const Row& row) {
    return row.status == Status::estimate;
}

std::string time_of(const Row& row, bool marked) {
    const auto [factor, unit] = unit_for(*row.median);
    return fmt::format("{:.4g} {}{}", *row.median * factor, unit,
                       marked && is_estimate(row) ? " (estimate)" : "");
}

std::string limit_of(const Row& row) {
    if (!row.limit) return "limit unknown";
    return fmt::format("{:.0f} % of {}", 100 * row.limit->share, row.limit->ceiling);
}

}  // namespace

std::string fastest_versions(const json& study, const std::vector<Row>& measured, const Screen& screen) {
    constexpr std::size_t handful = 5;
    constexpr std::size_t narrow = 60;  // columns that a configuration does not fit in, its clock does
    const Race race = race_of(study, measured);
    std::vector<Row> rows = fastest(race);
    if (rows.empty()) return "";
    rows.resize(std::min(rows.size(), handful));
    const bool all = std::all_of(rows.begin(), rows.end(), is_estimate);
    std::string lines =
        wrap(fmt::format("Fastest versions{}: {}", all ? " (estimates)" : "", race.title), screen.width, 4);
    // The title names the problem, which is what the configurations of all of its rows begin with.
    const std::size_t problem = race.per_operation ? 0 : shared_beginning(race.rows);
    std::vector<std::string> places;
    for (const Row& row : rows)
        places.push_back(screen.width < narrow ? row.clock : configuration(row).substr(problem));
    std::size_t variant = 0, time = 0, limit = 0, place = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
        variant = std::max(variant, columns(rows[k].variant));
        place = std::max(place, columns(places[k]));
        time = std::max(time, columns(time_of(rows[k], !all)));
        limit = std::max(limit, columns(limit_of(rows[k])));
    }
    constexpr std::size_t least = 12;
    const std::size_t taken = 2 + variant + 2 + 2 + time + 2 + limit;
    place = std::min(place, std::max(screen.width > taken ? screen.width - taken : 0, least));
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const std::string line = fmt::format("  {}  {}  {:>{}}  {}", pad(rows[k].variant, variant),
                                             pad(cut_middle(places[k], place), place), time_of(rows[k], !all),
                                             time, limit_of(rows[k]));
        lines += cut(line, screen.width) + '\n';
    }
    return lines;
}

}  // namespace gridmark::harness
