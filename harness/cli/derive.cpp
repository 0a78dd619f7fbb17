// Derives what follows from saved rows' samples again; hidden: for sets that an earlier rule wrote.
#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "harness/cli/commands.hpp"
#include "harness/os/streams.hpp"
#include "harness/results/json_file.hpp"
#include "harness/results/ratio.hpp"
#include "harness/results/result_file.hpp"
#include "harness/results/spread.hpp"
#include "harness/run/limit.hpp"
#include "harness/run/registry.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

constexpr const char* derived_keys[] = {"median",         "interval", "limit",   "beaten_limit",
                                        "stepwise_limit", "binding",  "by_host", "machines_differ_by"};

/// Puts a row's median, interval, limits and binding, and nothing else, into the JSON that it was read from.
void put_derived(nlohmann::json& saved, const Row& row) {
    const nlohmann::json all = row;
    for (const char* key : derived_keys) {
        saved.erase(key);
        if (all.contains(key)) saved[key] = all[key];
    }
}

/// Of a file: every row's median and interval, by its samples, and every time's limits, by the point that
/// this program plans for it and the file's ceilings. A row that is no longer planned loses its limits.
void derive(const std::filesystem::path& path) {
    nlohmann::json document = read_json_file(path);
    ResultFile file = read_result_file(path);
    const MachineLimits machine = limits_of(file.context);
    const Plan plan = threaded_plan(file.context["experiment"], file);
    const auto planned = timed_rows_by_name(plan);
    nlohmann::json& rows = document["rows"];
    std::map<std::string, Row*> named;
    for (Row& row : file.rows)
        named[row.name] = &row;
    std::size_t derived = 0, lost = 0;
    for (std::size_t at = 0; at < file.rows.size(); ++at) {
        Row& row = file.rows[at];
        if (!row.measured() || row.samples.empty()) continue;
        row.median = median(row.samples);
        if (const auto found = planned.find(row.name); found != planned.end()) {
            set_limits(row, *found->second.point, found->second.series, machine);
            row.set_shares();
            ++derived;
        } else if (row.is_time()) {
            lost += row.limit || row.beaten_limit;
            row.limit = row.beaten_limit = row.stepwise_limit = std::nullopt;
            row.binding.reset();
            row.by_host.reset();
        }
    }
    for (const Difference& difference : plan.differences) {
        const auto row = named.find(difference.name), minuend = named.find(difference.minuend),
                   subtrahend = named.find(difference.subtrahend);
        if (row != named.end() && minuend != named.end() && subtrahend != named.end() &&
            row->second->measured())
            row->second->machines_differ_by = machines_of_difference(*minuend->second, *subtrahend->second);
    }
    for (std::size_t at = 0; at < file.rows.size(); ++at) {
        Row& row = file.rows[at];
        if (!row.measured() || row.samples.empty()) continue;
        if (row.interval) row.interval = row_interval(row);
        put_derived(rows[at], row);
    }
    write_result_file(path, document);
    print_out("{}: {} rows derived, {} no longer planned\n", path.string(), derived, lost);
}

}  // namespace

void add_derive(CLI::App& app, int&) {
    auto* command =
        app.add_subcommand("_derive", "derive the medians, intervals and limits of result files again")
            ->group("");
    auto* file = command->add_option("FILE")->required();
    command->callback([file] { derive(file->as<std::string>()); });
}

}  // namespace gridmark::harness
