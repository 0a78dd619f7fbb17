#include "harness/compare/compare.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "harness/cli/commands.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

std::string text(const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
}

std::string number(const json& value) {
    return value.is_number() ? fmt::format("{:.4g}", value.get<double>()) : "-";
}

void print_comparison(const json& document) {
    fmt::print("base: {} ({})\nnew:  {} ({})\n\n", document["base"]["machine"].get<std::string>(),
               document["base"]["directory"].get<std::string>(),
               document["new"]["machine"].get<std::string>(),
               document["new"]["directory"].get<std::string>());
    fmt::print("What differs between the machines:\n");
    for (const json& d : document["machine_differences"]) {
        const json& some = d["experiments"];
        fmt::print(
            "  {}{}: {} -> {}\n", d["key"].get<std::string>(),
            some.is_null() ? "" : fmt::format(" ({})", fmt::join(some.get<std::vector<std::string>>(), ", ")),
            text(d["base"]), text(d["new"]));
    }
    fmt::print("\n{:<72} {:>10} {:>10} {:>7} {:>16}  verdict\n", "row", "base", "new", "ratio", "interval");
    for (const json& row : document["rows"]) {
        const json& i = row["interval"];
        fmt::print(
            "{:<72} {:>10} {:>10} {:>7} {:>16}  {}{}\n", row["name"].get<std::string>(), number(row["base"]),
            number(row["new"]), number(row["ratio"]),
            i.is_array() ? fmt::format("[{:.3f}, {:.3f}]", i[0].get<double>(), i[1].get<double>()) : "-",
            row["verdict"].get<std::string>(),
            row["reason"].is_string() ? " (" + row["reason"].get<std::string>() + ")" : "");
    }
    fmt::print("\n");
    for (const auto& [verdict, count] : document["summary"].items())
        fmt::print("{:>5} {}\n", count.get<int>(), verdict);
}

}  // namespace

void add_compare(CLI::App& app, int&) {
    auto* command = app.add_subcommand("compare", "two machines, or two runs of one, row by row");
    auto* base = command->add_option("BASE", "folder of results")->required();
    auto* fresh = command->add_option("NEW", "folder of results")->required();
    auto* as_json = command->add_flag("--json")->description("as JSON");
    command->callback([base, fresh, as_json] {
        const json document =
            compare_sets(load_result_set(base->as<std::string>()), load_result_set(fresh->as<std::string>()));
        if (as_json->count() > 0)  // a folder's name may be no UTF-8
            fmt::print("{}\n", document.dump(1, ' ', false, json::error_handler_t::replace));
        else
            print_comparison(document);
    });
}

}  // namespace gridmark::harness
