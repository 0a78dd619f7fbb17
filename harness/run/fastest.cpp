#include "harness/run/fastest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "harness/compare/compare.hpp"
#include "harness/compare/fastest.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

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

std::string time_words(const json& side) {
    const auto [factor, unit] = unit_for(side["value"]);
    return fmt::format("{:.4g} {}", side["value"].get<double>() * factor, unit);
}

std::string limit_words(double share, const std::string& ceiling) {
    return fmt::format("{:.0f} % of {}", 100 * share, ceiling);
}

std::string limit_of(const Row& row) {
    if (row.beaten_limit) return "no limit: beats " + row.beaten_limit->ceiling;
    return row.limit ? limit_words(row.limit->share, row.limit->ceiling) : "limit unknown";
}

std::string limit_of(const json& side) {
    const json& limit = side["limit"];
    return limit.is_null() ? "limit unknown" : limit_words(limit["share"], limit["ceiling"]);
}

/// What two sides have in common is said once.
std::string both_words(const json& there, const json& here) {
    const auto variant = [](const json& side) { return side["variant"].get<std::string>(); };
    if (variant(there) != variant(here))
        return fmt::format("{} {} ({}) -> {} {} ({})", variant(there), time_words(there), limit_of(there),
                           variant(here), time_words(here), limit_of(here));
    std::string limits = limit_of(there) + " -> " + limit_of(here);
    if (!there["limit"].is_null() && !here["limit"].is_null() &&
        there["limit"]["ceiling"] == here["limit"]["ceiling"])
        limits = fmt::format("{:.0f} -> {}", 100 * there["limit"]["share"].get<double>(), limit_of(here));
    return fmt::format("{} {} -> {} ({})", variant(here), time_words(there), time_words(here), limits);
}

std::string verdict_word(const std::string& verdict) {
    return verdict == RowComparison::rough_difference ? "rough" : verdict;
}

}  // namespace

std::string percent(double ratio) {
    return ratio < 10 ? fmt::format("{:+.1f}%", 100 * (ratio - 1)) : fmt::format("x {:.4g}", ratio);
}

std::string fastest_line(const json& found) {
    const json& here = found["new"];
    std::string line = found["experiment"].get<std::string>() + ": ";
    if (!found.contains("base"))
        line +=
            fmt::format("{} {} ({})", here["variant"].get<std::string>(), time_words(here), limit_of(here));
    else
        line += both_words(found["base"], here);
    if (found.contains("ratio") && found["ratio"].is_number())
        line += fmt::format(", {}, {}", percent(found["ratio"].get<double>()),
                            verdict_word(found["verdict"].get<std::string>()));
    if (found["headline"] != true) line += "; " + found["problem"].get<std::string>();
    if (found.contains("alone"))
        for (const auto& [side, words] : {std::pair("base", "only there"), std::pair("new", "only here")})
            if (const json& alone = found["alone"][side]; !alone.is_null())
                line +=
                    fmt::format("; {}: {} {}", words, alone["variant"].get<std::string>(), time_words(alone));
    return line;
}

std::string fastest_versions(const json& study, const std::vector<Row>& measured, const Screen& screen) {
    constexpr std::size_t handful = 5;
    constexpr std::size_t narrow = 60;  // columns that a configuration does not fit in, its clock does
    const auto race = race_of(study, {&measured});
    if (!race) return "";
    std::vector<Row> rows = race->fastest();
    rows.resize(std::min(rows.size(), handful));
    const bool all = std::all_of(rows.begin(), rows.end(), is_estimate);
    std::string lines = wrap(fmt::format("Fastest versions{}: {}", all ? " (estimates)" : "", race->problem),
                             screen.width, 4);
    // The title names the problem, which is what the configurations of all of its rows begin with.
    const std::size_t problem = race->per_operation ? 0 : shared_beginning(race->rows.front());
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
