#include "harness/compare/table_ratios.hpp"

#include <stdexcept>

#include "harness/results/ratio.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

json key_of(const Row& row, const json& keys, const json& but = json::object()) {
    json key;
    for (const json& name : keys)
        if (!but.contains(name)) key[name.get<std::string>()] = selected_value(row, name.get<std::string>());
    return key;
}

const json& column(const json& table, const json& id) {
    for (const json& c : table["columns"])
        if (c["id"] == id) return c["select"];
    throw std::logic_error("a table's ratio names a column that it has not");
}

}  // namespace

json table_ratios(const json& table, const std::vector<Row>& rows) {
    json result = json::array();
    const json& ratio = table["ratio"];
    const auto numerators = select_rows(rows, {table["select"], column(table, ratio["numerator"])});
    const json against = ratio.value("against", json::object());
    const auto denominators =
        select_rows(rows, {table["select"], against.empty() ? column(table, ratio["denominator"]) : against});
    for (const Row& n : numerators) {
        const json key = key_of(n, table["rows"]), common = key_of(n, table["rows"], against);
        for (const Row& d : denominators) {
            if (key_of(d, table["rows"], against) != common || n.name == d.name) continue;
            if (!n.fit() || !d.fit() || !why_no_ratio(n, d).empty()) continue;
            const Ratio r = row_ratio(n, d, Runs::same);
            result.push_back(
                {{"key", key}, {"ratio", r.value}, {"interval", {r.interval.low, r.interval.high}}});
        }
    }
    return result;
}

}  // namespace gridmark::harness
