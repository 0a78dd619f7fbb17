// Machines that nobody measured here, by their data sheets.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string_view>

#include "embedded/data_sheets.hpp"
#include "harness/forecast/forecast.hpp"
#include "harness/results/json_file.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// How a ceiling that a sheet does not name follows from the reference's.
enum class Scaling {
    chip,   ///< a rate of all multiprocessors: by their number and clock
    clock,  ///< a latency: as many clocks
    same
};
struct Rule {
    std::string_view ceiling, peak;  ///< the sheet's word that bounds it; empty: none
    Scaling otherwise;
};

constexpr Rule gpu_rules[] = {{"gpu_copy_bandwidth", "gpu_memory_peak", Scaling::chip},
                              {"gpu_triad_bandwidth", "gpu_memory_peak", Scaling::chip},
                              {"gpu_fma_peak_float", "gpu_peak_float", Scaling::chip},
                              {"gpu_fma_peak_double", "gpu_peak_double", Scaling::chip},
                              {"link_up_pinned", "link_peak", Scaling::same},
                              {"link_down_pinned", "link_peak", Scaling::same},
                              {"link_both_pinned", "link_peak", Scaling::same},
                              {"link_copy_start", "", Scaling::same},
                              {"link_up_pageable", "link_peak", Scaling::same},
                              {"link_down_pageable", "link_peak", Scaling::same},
                              {"gpu_l2_bandwidth", "", Scaling::chip},
                              {"gpu_l1_bandwidth", "", Scaling::chip},
                              {"gpu_shared_bandwidth", "", Scaling::chip},
                              {"gpu_tiles_bandwidth", "gpu_memory_peak", Scaling::chip},
                              {"gpu_issue_arithmetic", "", Scaling::chip},
                              {"gpu_l1_latency", "", Scaling::clock},
                              {"gpu_shared_latency", "", Scaling::clock},
                              {"gpu_constant_latency", "", Scaling::clock},
                              {"gpu_l2_latency", "", Scaling::clock},
                              {"gpu_memory_latency", "", Scaling::same},
                              {"gpu_fma_latency_float", "", Scaling::clock},
                              {"gpu_fma_latency_double", "", Scaling::clock},
                              {"gpu_warp_issue", "", Scaling::clock},
                              {"gpu_code_fetch", "", Scaling::clock},
                              {"gpu_division_latency", "", Scaling::clock},
                              {"gpu_shuffle_latency", "", Scaling::clock},
                              {"gpu_block_barrier_32", "", Scaling::clock},
                              {"gpu_block_barrier_128", "", Scaling::clock},
                              {"gpu_block_barrier_256", "", Scaling::clock},
                              {"gpu_block_barrier_512", "", Scaling::clock},
                              {"gpu_block_barrier_1024", "", Scaling::clock},
                              {"gpu_message_latency", "", Scaling::same},
                              {"gpu_grid_sync", "", Scaling::same},
                              {"gpu_block_start", "", Scaling::same},
                              {"gpu_empty_kernel", "", Scaling::same},
                              {"gpu_launch", "", Scaling::same},
                              {"gpu_graph_node", "", Scaling::same}};

/// A CPU's sheet has no reference: its peaks stand for what is measured.
constexpr Rule cpu_rules[] = {
    {"cpu_triad_all_threads", "cpu_memory_peak", Scaling::same},
    {"cpu_fma_peak_float_all_threads", "cpu_peak_float_all_threads", Scaling::same},
    {"cpu_fma_peak_double_all_threads", "cpu_peak_double_all_threads", Scaling::same},
    {"cpu_l1_bandwidth_all_threads", "", Scaling::same},
    {"cpu_l2_bandwidth_all_threads", "", Scaling::same},
    {"cpu_l3_bandwidth_all_threads", "", Scaling::same}};

const json* entry_of(const json& sheet, std::string_view name) {
    for (const json& ceiling : sheet["ceilings"])
        if (ceiling["name"] == name) return &ceiling;
    return nullptr;
}

std::optional<double> sheet_ceiling(const json& sheet, std::string_view name) {
    const json* const entry = entry_of(sheet, name);
    return entry == nullptr ? std::nullopt : std::optional((*entry)["value"].get<double>());
}

std::string source_of(const json& sheet, std::string_view name) {
    return (*entry_of(sheet, name))["source"].get<std::string>();
}

[[noreturn]] void refuse(const std::string& label, const std::string& why) {
    throw UsageError(fmt::format("{}: {}", label, why));
}

double positive_at(const json& object, const char* key, const std::string& label) {
    const json value = object.value(key, json());
    if (!value.is_number() || !(value.get<double>() > 0))
        refuse(label, fmt::format("{} must be a number above 0", key));
    return value.get<double>();
}

/// Of a row of levels the nearer must not be worse than the farther.
void check_levels(const json& sheet, const std::string& label, std::initializer_list<const char*> near_to_far,
                  bool is_rate) {
    const char* before = nullptr;
    for (const char* name : near_to_far) {
        const auto value = sheet_ceiling(sheet, name);
        if (!value) continue;
        const auto nearer = before == nullptr ? value : sheet_ceiling(sheet, before);
        if (is_rate ? *nearer < *value : *nearer > *value)
            refuse(label, fmt::format("{} {} is {} than {} {}, which lies behind it", before, *nearer,
                                      is_rate ? "less" : "more", name, *value));
        before = name;
    }
}

bool is_sheet_ceiling(const std::string& name) {
    const auto has = [&](const auto& rules) {
        return std::ranges::any_of(rules, [&](const Rule& r) { return r.ceiling == name || r.peak == name; });
    };
    return has(gpu_rules) || has(cpu_rules) || (name.starts_with("cpu_") && name.ends_with("_latency"));
}

double gpu_number(const json& sheet, const char* key, double otherwise) {
    const json& gpu = sheet["gpu"];
    return gpu.contains(key) && gpu[key].is_number() ? gpu[key].get<double>() : otherwise;
}

/// A ceiling's value and where it comes from.
struct Known {
    double value;
    std::string how;
    bool assumed = false;
};

/// What the ceiling is by the sheet, or by the reference.
std::optional<Known> known_by(const Rule& rule, const json& sheet, const MachineLimits& reference,
                              const json& reference_sheet) {
    if (const auto said = sheet_ceiling(sheet, rule.ceiling))
        return Known{*said, source_of(sheet, rule.ceiling)};
    const auto measured = reference.ceiling(std::string(rule.ceiling));
    if (!rule.peak.empty()) {
        const auto peak = sheet_ceiling(sheet, rule.peak), there = sheet_ceiling(reference_sheet, rule.peak);
        const std::string of = fmt::format("{} ({})", rule.peak, peak ? source_of(sheet, rule.peak) : "");
        if (peak && there && measured)
            return Known{*peak * *measured / *there,
                         fmt::format("the share that {} reaches of {}", reference.name, of)};
        if (peak) return Known{*peak, "all of " + of};
    }
    if (!measured) return std::nullopt;
    const double clock = gpu_number(sheet, "clock_mhz", 1) / gpu_number(reference_sheet, "clock_mhz", 1),
                 multiprocessors = gpu_number(sheet, "multiprocessors", 1) /
                                   gpu_number(reference_sheet, "multiprocessors", 1);
    switch (rule.otherwise) {
        case Scaling::chip:
            return Known{*measured * clock * multiprocessors,
                         "as much a clock and multiprocessor as on " + reference.name, true};
        case Scaling::clock:
            return Known{*measured / clock, "as many clocks as on " + reference.name, true};
        case Scaling::same:
            break;
    }
    return Known{*measured, "as on " + reference.name, true};
}

void set_ceiling(SheetLimits& made, const Rule& rule, const Known& known) {
    const std::string name(rule.ceiling);
    made.limits.ceilings[name] = known.value;
    made.how[name] = known.how;
    if (known.assumed) made.assumed.push_back(fmt::format("{}: {}", name, known.how));
}

}  // namespace

void check_sheet(const json& sheet, const std::string& label) {
    if (!sheet.is_object()) refuse(label, "must be an object");
    const json name = sheet.value("machine", json());
    if (!name.is_string() || name.get_ref<const std::string&>().empty())
        refuse(label, "machine must be a text");
    const json kind = sheet.value("kind", json());
    if (kind != "gpu" && kind != "cpu") refuse(label, "kind must be gpu or cpu");
    const json part = sheet.value(kind.get<std::string>(), json());
    if (!part.is_object()) refuse(label, fmt::format("{} must be an object", kind.get<std::string>()));
    if (kind == "gpu") {
        (void)positive_at(part, "multiprocessors", label);
        (void)positive_at(part, "clock_mhz", label);
    } else {
        (void)positive_at(part, "cores", label);
    }
    if (!sheet.value("ceilings", json()).is_array()) refuse(label, "ceilings must be a list");
    for (const json& ceiling : sheet["ceilings"]) {
        if (!ceiling.is_object() || !ceiling.value("name", json()).is_string())
            refuse(label, "each of the ceilings needs a name");
        const auto word = ceiling["name"].get<std::string>();
        if (!is_sheet_ceiling(word)) refuse(label, fmt::format("{} is no ceiling of a sheet", word));
        (void)positive_at(ceiling, "value", fmt::format("{}: {}", label, word));
        if (!ceiling.value("source", json()).is_string())
            refuse(label, fmt::format("{} needs its source", word));
    }
    check_levels(sheet, label, {"gpu_l1_bandwidth", "gpu_l2_bandwidth", "gpu_memory_peak"}, true);
    check_levels(sheet, label, {"gpu_l1_latency", "gpu_l2_latency", "gpu_memory_latency"}, false);
    check_levels(sheet, label,
                 {"cpu_l1_bandwidth_all_threads", "cpu_l2_bandwidth_all_threads",
                  "cpu_l3_bandwidth_all_threads", "cpu_memory_peak"},
                 true);
    check_levels(sheet, label, {"cpu_l1_latency", "cpu_l2_latency", "cpu_l3_latency", "cpu_memory_latency"},
                 false);
    check_levels(sheet, label, {"gpu_peak_float", "gpu_peak_double"}, true);
}

const json& delivered_sheets() {
    static const json sheets = json::parse(embedded::data_sheets);
    return sheets;
}

json read_sheet(const std::string& file_or_id) {
    if (const json& sheets = delivered_sheets(); sheets.contains(file_or_id)) return sheets[file_or_id];
    if (!std::filesystem::is_regular_file(file_or_id))
        throw UsageError(
            fmt::format("{}: neither a folder of results nor a file nor a delivered data sheet "
                        "(gridmark forecast --list)",
                        file_or_id));
    json sheet = read_json_file(file_or_id);
    check_sheet(sheet, file_or_id);
    return sheet;
}

SheetLimits limits_of_sheet(const json& sheet, const MachineLimits& reference, const json& reference_sheet) {
    SheetLimits made;
    MachineLimits& limits = made.limits;
    limits.name = sheet["machine"].get<std::string>();
    made.kind = sheet["kind"].get<std::string>();
    if (made.kind == "gpu") {
        if (reference_sheet["kind"] != "gpu")
            refuse(reference_sheet["machine"].get<std::string>(),
                   "is no GPU, so that no GPU is forecast by it");
        limits.multiprocessors = static_cast<int>(gpu_number(sheet, "multiprocessors", 0));
        limits.l2_bytes = gpu_number(sheet, "l2_bytes", 0);
        limits.shared_bytes = gpu_number(sheet, "shared_per_multiprocessor", 0);
        limits.threads = static_cast<int>(gpu_number(sheet, "threads_per_multiprocessor", limits.threads));
        limits.blocks = static_cast<int>(gpu_number(sheet, "blocks_per_multiprocessor", limits.blocks));
        for (const Rule& rule : gpu_rules)
            if (const auto known = known_by(rule, sheet, reference, reference_sheet))
                set_ceiling(made, rule, *known);
        return made;
    }
    const json& cpu = sheet["cpu"];
    const auto number = [&](const char* key) {
        const json value = cpu.value(key, json());
        return value.is_number() ? value.get<double>() : 0;
    };
    limits.cpu_l1_bytes = number("l1d_bytes");
    limits.cpu_l2_bytes = number("l2_bytes");
    limits.cpu_l3_bytes = number("l3_bytes");
    for (const Rule& rule : cpu_rules)
        if (const auto said = sheet_ceiling(sheet, rule.ceiling))
            set_ceiling(made, rule, {*said, source_of(sheet, rule.ceiling)});
        else if (const auto peak = sheet_ceiling(sheet, rule.peak))
            set_ceiling(made, rule, {*peak, fmt::format("all of {}", rule.peak), true});
    return made;
}

}  // namespace gridmark::harness
