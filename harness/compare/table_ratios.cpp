#include "harness/compare/table_ratios.hpp"

#include <stdexcept>

#include "harness/results/row.hpp"

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

}  // namespace

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

}  // namespace gridmark::harness
