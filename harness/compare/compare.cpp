#include "harness/compare/compare.hpp"

#include <map>

#include "harness/compare/differences.hpp"
#include "harness/results/ratio.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

constexpr std::size_t launches_needed = 3;

std::map<std::string, Row> rows_by_name(const ResultSet& set) {
    std::map<std::string, Row> rows;
    for (const auto& [id, file] : set.files)
        for (const Row& row : file.rows)
            rows.insert_or_assign(row.name, row);
    return rows;
}

json number_or_null(const std::optional<double>& number) {
    return number ? json(*number) : json();
}

json entry(const Row& row) {
    return {{"experiment", row.experiment},
            {"name", row.name},
            {"variant", row.variant},
            {"quantity", row.quantity},
            {"unit", row.unit},
            {"clock", row.clock.empty() ? json() : json(row.clock)},
            {"base", nullptr},
            {"new", nullptr},
            {"ratio", nullptr},
            {"interval", nullptr},
            {"reason", nullptr}};
}

json compared(const Row& base, const Row& fresh) {
    json result = entry(fresh);
    result["base"] = number_or_null(base.median);
    result["new"] = number_or_null(fresh.median);
    const RowComparison c = compare_rows(base, fresh);
    result["verdict"] = c.verdict;
    if (!c.reason.empty()) result["reason"] = c.reason;
    if (base.measured() && fresh.measured() && base.unit == fresh.unit && why_no_ratio(fresh, base).empty()) {
        result["ratio"] = c.ratio;
        if (!base.samples.empty() && !fresh.samples.empty())
            result["interval"] = {c.interval.low, c.interval.high};
    }
    return result;
}

json one_sided(const Row& row, const char* side, const char* verdict) {
    json result = entry(row);
    result[side] = number_or_null(row.median);
    result["verdict"] = verdict;
    return result;
}

}  // namespace

RowComparison compare_rows(const Row& base, const Row& fresh) {
    RowComparison c{"not comparable", "", 1, {1, 1}};
    for (const Row* row : {&base, &fresh}) {
        if (row->measured()) continue;
        c.reason = std::string(to_string(row->status)) + ": " + row->reason;
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
    if (base.samples.empty() || fresh.samples.empty()) {
        c.reason = "a published or derived value has no samples to compare with";
    } else if (fresh.clock == "wall") {
        c.reason = "wall times are not comparable across runs";
    } else if (base.samples_by_launch().size() < launches_needed ||
               fresh.samples_by_launch().size() < launches_needed) {
        c.verdict = "no difference resolved";
        c.reason = "fewer than three process launches";
    } else if (ratio.interval.high < 1 / resolution) {
        c.verdict = "faster";
    } else if (ratio.interval.low > resolution) {
        c.verdict = "slower";
    } else {
        c.verdict = "no difference resolved";
    }
    // A rate or a share that grows is no slow-down.
    if (!fresh.is_time() && (c.verdict == "faster" || c.verdict == "slower"))
        c.verdict = c.verdict == "faster" ? "lower" : "higher";
    return c;
}

json compare_sets(const ResultSet& base, const ResultSet& fresh) {
    const auto a = rows_by_name(base), b = rows_by_name(fresh);
    json rows = json::array();
    for (const auto& [name, row] : b)
        rows.push_back(a.contains(name) ? compared(a.at(name), row) : one_sided(row, "new", "only in new"));
    for (const auto& [name, row] : a)
        if (!b.contains(name)) rows.push_back(one_sided(row, "base", "only in base"));
    std::map<std::string, int> summary;
    for (const char* verdict : {"faster", "slower", "lower", "higher", "no difference resolved",
                                "not comparable", "only in base", "only in new"})
        summary[verdict] = 0;
    for (const json& row : rows)
        ++summary[row["verdict"].get<std::string>()];
    const auto side = [](const ResultSet& set) {
        return json{
            {"directory", set.directory.string()}, {"machine", set.machine}, {"complete", set.complete}};
    };
    return {{"base", side(base)},
            {"new", side(fresh)},
            {"machine_differences", machine_differences(base, fresh)},
            {"summary", summary},
            {"rows", rows}};
}

}  // namespace gridmark::harness
