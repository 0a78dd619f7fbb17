#include <fmt/format.h>

#include "harness/export/export.hpp"

/// Google Benchmark's JSON as its version 1.7 writes it: an entry a sample, which is a repetition, and the
/// median of several as an aggregate. Its tools/compare.py reads two of these.
namespace gridmark::harness {
namespace {

using nlohmann::json;

/// The value at that place of the files' contexts, where all of them agree; else null.
json agreed(const ResultSet& set, const json::json_pointer& place) {
    const auto at = [&](const ResultFile& file) {
        return file.context.contains(place) ? file.context.at(place) : json();
    };
    json first = at(set.files.begin()->second);
    for (const auto& [experiment, file] : set.files)
        if (at(file) != first) return nullptr;
    return first;
}

json context_of(const ResultSet& set) {
    json context{{"executable", "gridmark"}, {"machine", set.machine}};
    constexpr std::pair<const char*, const char*> taken[] = {
        {"date", "/date"},           {"num_cpus", "/cpu/logical_cores"}, {"preset", "/preset"},
        {"commit", "/build/commit"}, {"compiler", "/build/compiler"},    {"cpu_model", "/cpu/model"},
        {"gpu_name", "/gpu/name"},   {"gpu_uuid", "/gpu/uuid"},          {"driver", "/software/driver"}};
    for (const auto& [key, place] : taken)
        if (json value = agreed(set, json::json_pointer(place)); !value.is_null()) context[key] = value;
    if (const json type = agreed(set, json::json_pointer("/build/build_type")); !type.is_null())
        context["library_build_type"] = type == "Release" ? "release" : "debug";
    return context;
}

/// Google's fields of a row, less those of one repetition.
json entry_of(const Row& row, std::size_t family) {
    json entry{{"name", row.name},
               {"family_index", family},
               {"per_family_instance_index", 0},
               {"run_name", row.name},
               {"repetitions", row.values().size()},
               {"threads", value_of<std::int64_t>(row.parameters, "threads", 1)},
               {"time_unit", "ns"}};
    std::string label = row.clock.empty() ? "" : row.clock + " clock";
    if (row.status == Status::estimate)
        label += fmt::format("{}estimate: {}", label.empty() ? "" : ", ", row.reason);
    if (!label.empty()) entry["label"] = label;
    return entry;
}

/// One clock measures a row. It stands under both of Google's names, for compare.py takes the geometric mean
/// of both, and tests both.
void set_time(json& entry, double nanoseconds) {
    entry["real_time"] = nanoseconds;
    entry["cpu_time"] = nanoseconds;
}

void add_entries(json& benchmarks, const Row& row, double factor, std::size_t family) {
    const json entry = entry_of(row, family);
    const std::vector<double> values = row.values();
    for (std::size_t index = 0; index < values.size(); ++index) {
        json repetition = entry;
        repetition["run_type"] = "iteration";
        repetition["repetition_index"] = index;
        repetition["iterations"] = row.iterations;
        set_time(repetition, scaled(values[index], factor, row));
        benchmarks.push_back(std::move(repetition));
    }
    if (values.size() < 2) return;
    json median = entry;
    median["name"] = row.name + "_median";
    median["run_type"] = "aggregate";
    median["aggregate_name"] = "median";
    median["aggregate_unit"] = "time";
    median["iterations"] = values.size();
    set_time(median, scaled(*row.median, factor, row));
    benchmarks.push_back(std::move(median));
}

}  // namespace

Exported to_google_benchmark(const ResultSet& set) {
    Exported exported;
    json benchmarks = json::array();
    std::size_t family = 0;
    for (const auto& [experiment, file] : set.files)
        for (const Row& row : file.rows) {
            const auto factor = nanoseconds_in(row.unit);
            if (!row.measured())
                ++exported.without_number;
            else if (!row.is_time() || !factor)
                ++exported.other_than_time;
            else
                add_entries(benchmarks, row, *factor, family++);
        }
    if (benchmarks.empty()) return exported;
    // An entry a line: with a field a line a study's samples would take twice the room.
    std::string lines;
    for (const json& entry : benchmarks)
        lines += (lines.empty() ? "\n  " : ",\n  ") + entry.dump();
    exported.text =
        fmt::format("{{\n \"context\": {},\n \"benchmarks\": [{}\n ]\n}}\n", context_of(set).dump(), lines);
    return exported;
}

}  // namespace gridmark::harness
