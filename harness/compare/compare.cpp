#include "harness/compare/compare.hpp"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/results/ratio.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// What is read at one moment and differs between any two runs says nothing about the machine.
bool momentary(const std::string& key) {
    static const std::set<std::string> keys{"cpu.memory_available_bytes", "gpu.memory_free_bytes",
                                            "gpu.clocks.sm_mhz", "gpu.clocks.memory_mhz"};
    return keys.contains(key);
}

/// "gpu.name" -> value for every scalar below the named parts of a context.
std::map<std::string, json> flat_context(const json& context) {
    std::map<std::string, json> flat;
    for (const char* part : {"machine", "preset", "complete", "build", "cpu", "gpu", "software"}) {
        if (!context.contains(part)) continue;
        const json flattened = json{{part, context[part]}}.flatten();
        for (const auto& [pointer, value] : flattened.items()) {
            std::string key = pointer.substr(1);
            for (char& c : key)
                if (c == '/') c = '.';
            if (!momentary(key)) flat[key] = value;
        }
    }
    return flat;
}

/// The contexts of an experiment on either side.
struct Contexts {
    std::string experiment;
    std::map<std::string, json> base, fresh;
};

/// Of the experiments that both sets have; where they share none, of the first of each.
std::vector<Contexts> paired(const ResultSet& base, const ResultSet& fresh) {
    const auto context = [](const ResultFile& file) { return flat_context(file.context); };
    std::vector<Contexts> pairs;
    for (const auto& [id, file] : base.files)
        if (const auto other = fresh.files.find(id); other != fresh.files.end())
            pairs.push_back({id, context(file), context(other->second)});
    if (pairs.empty() && !base.files.empty() && !fresh.files.empty())
        pairs.push_back({"", context(base.files.begin()->second), context(fresh.files.begin()->second)});
    return pairs;
}

json value_or_null(const std::map<std::string, json>& context, const std::string& key) {
    const auto found = context.find(key);
    return found != context.end() ? found->second : json();
}

}  // namespace

json machine_differences(const ResultSet& base, const ResultSet& fresh) {
    const auto pairs = paired(base, fresh);
    // By key and by the two values: the experiments that have them.
    std::map<std::string, std::map<std::pair<json, json>, std::vector<std::string>>> found;
    for (const Contexts& pair : pairs) {
        std::set<std::string> keys;
        for (const auto* const side : {&pair.base, &pair.fresh})
            for (const auto& [key, value] : *side)
                keys.insert(key);
        for (const std::string& key : keys) {
            const json left = value_or_null(pair.base, key), right = value_or_null(pair.fresh, key);
            if (left != right) found[key][{left, right}].push_back(pair.experiment);
        }
    }
    json differences = json::array();
    for (const auto& [key, by_values] : found)
        for (const auto& [values, experiments] : by_values)
            differences.push_back(
                {{"key", key},
                 {"base", values.first},
                 {"new", values.second},
                 {"experiments", experiments.size() < pairs.size() ? json(experiments) : json()}});
    return differences;
}

namespace {

using nlohmann::json;

constexpr std::size_t processes_needed = 3;

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
    } else if (base.samples_by_process().size() < processes_needed ||
               fresh.samples_by_process().size() < processes_needed) {
        c.verdict = "no difference resolved";
        c.reason = "fewer than three processes";
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
