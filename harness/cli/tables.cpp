#include <fmt/format.h>

#include "harness/cli/commands.hpp"
#include "harness/compare/table_ratios.hpp"
#include "harness/experiment.hpp"
#include "harness/os/streams.hpp"
#include "harness/results/result_file.hpp"
#include "harness/run/combined.hpp"
#include "harness/run/registry.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
using nlohmann::json;

void add_tables(CLI::App& app, int&) {
    auto* command = app.add_subcommand(
        "tables", "ratios of every declared table, and derived values that the set lacks (for the report)");
    auto* machine = command->add_option("--machine", "folder of results")->default_val("results/local");
    command->add_flag("--json")->description("as JSON, the only form");
    command->callback([machine] {
        const ResultSet set = load_result_set(machine->as<std::string>());
        json tables = json::array(), derived = json::array();
        for (const auto& [id, file] : set.files) {
            const auto found = experiments().find(id);
            if (found == experiments().end()) throw UsageError(id + ".json: no such experiment");
            const json study = study_of(found->second);
            for (const json& table : study["tables"])
                if (table.contains("ratio"))
                    tables.push_back(
                        {{"experiment", id}, {"id", table["id"]}, {"rows", table_ratios(table, file.rows)}});
            for (const Row& row : missing_derived_rows(id, naming_plan(id, file), file.rows))
                derived.push_back(row);
        }
        print_out("{}\n", json{{"tables", tables}, {"derived", derived}}.dump(1));
    });
}

}  // namespace gridmark::harness
