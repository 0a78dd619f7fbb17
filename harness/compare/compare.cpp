#include "harness/compare/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "harness/compare/causes.hpp"
#include "harness/compare/document.hpp"
#include "harness/compare/fastest.hpp"
#include "harness/compare/machines.hpp"
#include "harness/compare/margins.hpp"
#include "harness/results/ratio.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

constexpr std::size_t processes_needed = 3;
constexpr double bound_share = 0.5;

constexpr const char* verdicts[]{"faster",
                                 "slower",
                                 "lower",
                                 "higher",
                                 RowComparison::rough_difference,
                                 "no difference resolved",
                                 "not comparable",
                                 "only in base",
                                 "only in new"};

bool has_gpu_clock(const Row& row) {
    return row.clock == "kernel" || row.clock == "step";
}

/// Whether a ratio lies beyond `least`, and its interval on one side of 1.
bool beyond(const Ratio& ratio, double least) {
    return (ratio.value > least && ratio.interval.low > 1) ||
           (ratio.value < 1 / least && ratio.interval.high < 1);
}

json one_sided(const Row& row, const char* side, const char* verdict) {
    json result = row_entry(row);
    for (const char* key : {"base", "new", "ratio", "interval", "reason", "margin", "cause"})
        result[key] = nullptr;
    result[side] = number_or_null(row.median);
    result["verdict"] = verdict;
    return result;
}

json two_sided(const ComparedRow& row) {
    json result = row_entry(*row.fresh);
    result["base"] = number_or_null(row.base->median);
    result["new"] = number_or_null(row.fresh->median);
    result["verdict"] = row.comparison.verdict;
    result["reason"] = row.comparison.reason.empty() ? json() : json(row.comparison.reason);
    result["margin"] = number_or_null(row.margin);
    result["cause"] = nullptr;
    put_ratio(result, row);
    return result;
}

}  // namespace

bool enough_processes(const Row& row) {
    return row.samples_by_process().size() >= processes_needed;
}

std::optional<Bound> bound_of(const Row& row) {
    if (!row.measured()) return std::nullopt;
    std::optional<Bound> bound;
    if (row.limit) bound = {row.limit->ceiling, row.limit->share};
    if (row.binding) bound = {row.binding->ceiling, row.binding->term / *row.median};
    return bound && bound->share >= bound_share ? bound : std::nullopt;
}

RowComparison compare_rows(const Row& base, const Row& fresh, std::optional<double> margin) {
    RowComparison c{"not comparable", "", 1, {1, 1}};
    for (const Row* row : {&base, &fresh}) {
        if (row->fit()) continue;
        c.reason =
            row->measured() ? row->why_unfit() : std::string(to_string(row->status)) + ": " + row->reason;
        return c;
    }
    if (base.unit != fresh.unit) {
        c.reason = "different units";
        return c;
    }
    c.reason = why_no_ratio(fresh, base);
    if (!c.reason.empty()) return c;
    const Ratio ratio = row_ratio(fresh, base, Runs::different);
    c.ratio = ratio.value;
    c.interval = ratio.interval;
    const bool wall = base.clock == "wall" || fresh.clock == "wall";
    const double least = wall ? std::max(resolution, margin.value_or(resolution)) : resolution;
    if (base.samples.empty() || fresh.samples.empty()) {
        c.reason = "a published or derived value has no samples to compare with";
    } else if (wall && !margin) {
        c.reason = "wall times need the margin between runs";
    } else if (!enough_processes(base) || !enough_processes(fresh)) {
        const bool rough = beyond(ratio, rough_resolution) && has_gpu_clock(base) && has_gpu_clock(fresh);
        c.verdict = rough ? RowComparison::rough_difference : "no difference resolved";
        c.reason = RowComparison::too_few_processes;
    } else if (ratio.interval.high < 1 / least) {
        c.verdict = "faster";
    } else if (ratio.interval.low > least) {
        c.verdict = "slower";
    } else {
        c.verdict = "no difference resolved";
    }
    // A rate or a share that grows is no slow-down.
    if (!fresh.is_time() && (c.verdict == "faster" || c.verdict == "slower"))
        c.verdict = c.verdict == "faster" ? "lower" : "higher";
    return c;
}

json compare_sets(const ResultSet& base, const ResultSet& fresh, const std::vector<ResultSet>& more,
                  const std::map<std::string, json>& declared) {
    const Margins margins(all_sets({&base, &fresh}, more));
    json rows = json::array(), gone = json::array(), studies = json::array(), causes = json::array(),
         fastest = json::array();
    for (const auto& [experiment, file] : fresh.files) {
        const auto other = base.files.find(experiment);
        if (other == base.files.end()) {
            for (const auto& [name, row] : named_rows(file))
                rows.push_back(one_sided(*row, "new", "only in new"));
            continue;
        }
        const auto common = common_rows(margins, other->second, file);
        const auto found = find_causes(experiment, common, other->second.context, file.context);
        const auto by_row = causes_by_row(found);
        const auto study = declared.find(experiment);
        fastest.push_back(fastest_of_two(experiment, study == declared.end() ? json::object() : study->second,
                                         other->second, file, margins));
        if (fastest.back().is_null()) fastest.erase(fastest.size() - 1);
        for (const Cause& cause : found)
            causes.push_back(json_of(cause));
        studies.push_back(json_of(answer(experiment, common, other->second.context, file.context)));
        studies.back()["by_the_machine"] = by_row.size();
        NamedRows unmatched = named_rows(other->second);
        std::map<std::string, const ComparedRow*> matched;
        for (const ComparedRow& row : common)
            matched[row.fresh->name] = &row;
        for (const auto& [name, row] : named_rows(file)) {
            unmatched.erase(name);
            const auto pair = matched.find(name);
            rows.push_back(pair == matched.end() ? one_sided(*row, "new", "only in new")
                                                 : two_sided(*pair->second));
            if (by_row.contains(name)) rows.back()["cause"] = by_row.at(name);
        }
        for (const auto& [name, row] : unmatched)
            gone.push_back(one_sided(*row, "base", "only in base"));
    }
    for (const auto& [experiment, file] : base.files)
        if (!fresh.files.contains(experiment))
            for (const auto& [name, row] : named_rows(file))
                gone.push_back(one_sided(*row, "base", "only in base"));
    for (json& row : gone)
        rows.push_back(std::move(row));
    std::map<std::string, int> summary;
    for (const char* verdict : verdicts)
        summary[verdict] = 0;
    for (const json& row : rows)
        ++summary[row["verdict"].get<std::string>()];
    return {{"base", side_of(base)},
            {"new", side_of(fresh)},
            {"fastest", fastest},
            {"machine_differences", machine_differences(base, fresh)},
            {"summary", summary},
            {"studies", studies},
            {"causes", causes},
            {"disturbances", disturbances_of({&base, &fresh})},
            {"wall_margin", json_of(margins)},
            {"rows", rows}};
}

}  // namespace gridmark::harness
