#include <fmt/format.h>

#include "harness/cli/commands.hpp"
#include "harness/experiment.hpp"
#include "harness/results/result_set.hpp"
#include "harness/results/row.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

json key_of(const json& row, const json& keys) {
    json key;
    for (const json& name : keys)
        key[name.get<std::string>()] = selected_value(row, name.get<std::string>());
    return key;
}

const json& column(const json& table, const json& id) {
    for (const json& c : table["columns"])
        if (c["id"] == id) return c["select"];
    throw std::logic_error("a table's ratio names a column that it has not");
}

/// The declared ratio of two columns, one entry a table row that has both numbers and a ratio of them.
json table_ratios(const json& table, const json& rows) {
    json result = json::array();
    const json& ratio = table["ratio"];
    const auto numerators = select_rows(rows, {table["select"], column(table, ratio["numerator"])});
    const auto denominators = select_rows(rows, {table["select"], column(table, ratio["denominator"])});
    for (const json& n : numerators) {
        const json key = key_of(n, table["rows"]);
        for (const json& d : denominators) {
            if (key_of(d, table["rows"]) != key || !is_measured(n) || !is_measured(d)) continue;
            if (!why_no_ratio(n, d).empty()) continue;
            const Ratio r = row_ratio(n, d, Runs::same);
            result.push_back(
                {{"key", key}, {"ratio", r.value}, {"interval", {r.interval.low, r.interval.high}}});
        }
    }
    return result;
}

}  // namespace

void add_tables(CLI::App& app, int&) {
    auto* command =
        app.add_subcommand("tables", "the ratios, with intervals, of every declared table (for the report)");
    auto* machine = command->add_option("--machine", "folder of results")->default_val("results/local");
    command->add_flag("--json")->description("as JSON, the only form");
    command->callback([machine] {
        const ResultSet set = load_result_set(machine->as<std::string>());
        json tables = json::array();
        for (const auto& [id, document] : set.documents) {
            const auto found = experiments().find(id);
            if (found == experiments().end()) throw UsageError(id + ".json: no such experiment");
            const json study = study_of(found->second);
            for (const json& table : study["tables"])
                if (table.contains("ratio"))
                    tables.push_back({{"experiment", id},
                                      {"id", table["id"]},
                                      {"rows", table_ratios(table, document["benchmarks"])}});
        }
        fmt::print("{}\n", json{{"tables", tables}}.dump(1));
    });
}

}  // namespace gridmark::harness
