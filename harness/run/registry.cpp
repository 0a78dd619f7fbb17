#include "harness/run/registry.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "harness/gpu/placement.hpp"
#include "harness/gpu/properties.hpp"
#include "harness/machine/served_gpu.hpp"
#include "harness/os/limits.hpp"
#include "harness/run/combined.hpp"
#include "harness/run/rows.hpp"
#include "harness/usage_error.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {
namespace {

/// The library reads an expression by recursion, so that a long one overflows the stack.
constexpr std::size_t longest = 600;

/// libstdc++ matches by backtracking unless told so, in time that grows like 2^n for "(a*)*b".
const auto syntax = std::regex::ECMAScript | std::regex_constants::__polynomial;

std::string why(const std::regex_error& error) {
    if (error.code() == std::regex_constants::error_complexity) return "back-references are not offered";
    if (error.code() == std::regex_constants::error_space) return "its counts multiply to too many states";
    const std::string text = error.what();
    return text.substr(0, text.find('\n'));
}

/// Bytes that a row may take where nobody says how many are free: a small machine has them.
constexpr std::size_t risked_memory = std::size_t{1} << 30;

}  // namespace

Gpu open_gpu(const Job& job) {
    Gpu gpu;
    try {
        gpu.device = served_gpu(job.device);
        gpu.placed = place(*gpu.device, placement(job.seed, job.process));
        // Not known is not none: a row that finds too little says so.
        const auto properties = read_gpu_properties(job.device);
        gpu.free_memory =
            properties ? static_cast<std::size_t>(properties.value->memory_free_bytes) : SIZE_MAX;
        if (job.device_memory > 0) gpu.free_memory = std::min(gpu.free_memory, job.device_memory);
    } catch (const launch::Error& error) {
        gpu.placed.clear();
        gpu.device.reset();
        gpu.reason = error.what();
    }
    return gpu;
}

namespace {

/// Of a plan that names rows: nothing of it can be run.
PlanContext naming_context(const Job& job) {
    const auto free = read_available_memory();
    return {.preset = job.preset,
            .threads = job.threads,
            .seed = job.seed,
            .gpu = nullptr,
            .no_gpu = not_asked,
            .gpu_memory = SIZE_MAX,
            .host_memory = free ? static_cast<std::size_t>(*free.value) : risked_memory,
            .set = job.set,
            .device_memory = job.device_memory,
            .peers = job.peers,
            .axes = job.axes,
            .ranks = job.ranks,
            .machine = limits_of(job.machine),
            .cpus = job.cpus,
            .host_memory_unknown = free.reason};
}

}  // namespace

Plan plan_of(const Job& job, const Gpu& gpu) {
    PlanContext context = naming_context(job);
    context.gpu = gpu.device.get();
    context.no_gpu = gpu.reason;
    context.gpu_memory = gpu.free_memory;
    return planned_here(experiments().at(job.experiment), context);
}

Plan naming_plan(const Job& job) {
    return planned_here(experiments().at(job.experiment), naming_context(job));
}

namespace {

Plan plan_of(const std::string& experiment, const ResultFile& file, int threads) {
    const nlohmann::json& context = file.context;
    if (context["preset"] == "published" || context.contains("axes") || context.contains("rank_counts"))
        return {};
    Job job{.experiment = experiment, .preset = parse_preset(context["preset"])};
    job.machine = context;
    job.threads = threads;
    if (std::ranges::any_of(file.rows, [](const Row& row) { return !row.made_by.empty(); }))
        job.peers.program = "peers";
    return naming_plan(job);
}

}  // namespace

Plan naming_plan(const std::string& experiment, const ResultFile& file) {
    return plan_of(experiment, file, Job{}.threads);
}

std::vector<Row> complete_rows(const std::string& experiment, const ResultFile& file) {
    std::vector<Row> rows = file.rows;
    for (Row& row : missing_derived_rows(experiment, naming_plan(experiment, file), file.rows))
        rows.push_back(std::move(row));
    return rows;
}

Plan threaded_plan(const std::string& experiment, const ResultFile& file) {
    const auto threads = file.context["cpu"].value("threads", nlohmann::json());
    return plan_of(experiment, file, threads.is_number() ? std::max(1, threads.get<int>()) : Job{}.threads);
}

std::vector<TimedRow> timed_rows(const Plan& plan) {
    std::vector<TimedRow> rows;
    for (const auto clock : {Series::Clock::wall, Series::Clock::step, Series::Clock::kernel})
        for (const Group& group : plan.groups)
            for (const Point& point : group.points)
                for (const Series& series : point.series)
                    if (series.clock == clock && point.unavailable.empty())
                        rows.push_back({row_name(point, series), &group, &point, series});
    return rows;
}

std::map<std::string, TimedRow> timed_rows_by_name(const Plan& plan) {
    std::map<std::string, TimedRow> rows;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            for (const Series& series : point.series) {
                const std::string name = row_name(point, series);
                rows.emplace(name, TimedRow{name, &group, &point, series});
            }
    return rows;
}

RowFilter::RowFilter(const std::string& expression, const std::vector<std::string>& only)
    : only_(only.begin(), only.end()) {
    if (expression.size() > longest)
        throw UsageError(
            fmt::format("--filter: {} characters are too many, {} are allowed", expression.size(), longest));
    // One within another takes a time of n^depth.
    if (expression.find("(?=") != std::string::npos || expression.find("(?!") != std::string::npos)
        throw UsageError(fmt::format("--filter: {} looks ahead, which is not offered", expression));
    try {
        // By itself first: "a)(b" would be one within the parentheses below.
        const std::regex alone(expression, syntax);
        // One pass over the name, where a search would begin anew at every character.
        whole_.assign("[^]*(?:" + expression + ")[^]*", syntax);
    } catch (const std::regex_error& error) {
        throw UsageError(
            fmt::format("--filter: {} is not a regular expression ({})", expression, why(error)));
    }
}

}  // namespace gridmark::harness
