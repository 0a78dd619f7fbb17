#include "harness/run/request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "harness/ceilings/ceilings.hpp"
#include "harness/ranks/job.hpp"
#include "harness/results/result_file.hpp"
#include "harness/run/rows.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// What the ceilings take, as measured on the machines that the studies' `seconds` are declared for.
Forecast ceilings(Preset preset) {
    return preset == Preset::quick ? Forecast{7, 4.5} : Forecast{12, 12};
}

/// Rows, and those of them that a filter leaves.
struct Rows {
    double all = 0, chosen = 0;

    double share() const { return all > 0 ? chosen / all : 0; }
};

/// What a study declares that the chosen rows take, or nullopt where none is chosen; without a declaration a
/// second a row and process. A number is of a machine with a GPU; without one only the rows that need none
/// take time.
std::optional<Forecast> declared_seconds(const Job& job, const RowFilter& filter) {
    Rows all, without_gpu;
    for (const Row& row : blank_rows(job.experiment, naming_plan(job)))
        for (Rows* rows : {&all, &without_gpu}) {
            if (rows == &without_gpu && row.reason == not_asked) continue;
            rows->all += 1;
            rows->chosen += filter.matches(row.name);
        }
    if (all.chosen == 0) return std::nullopt;
    const json study = study_of(experiments().at(job.experiment));
    const Protocol rules = protocol(job.preset);
    const bool own = job.axes.given() || job.ranks.given();
    if (own || !study.contains("seconds")) {
        const double each = rules.processes * (own ? rules.budget_seconds + rules.warm_up_seconds : 1);
        return Forecast{each * all.chosen, each * (own ? all : without_gpu).chosen, false};
    }
    const json& declared = study["seconds"][to_string(job.preset)];
    if (declared.is_object())
        return Forecast{declared["with_gpu"].get<double>() * all.share(),
                        declared["without_gpu"].get<double>() * without_gpu.share()};
    const double seconds = declared;
    return Forecast{seconds * all.share(), all.all > 0 ? seconds * without_gpu.chosen / all.all : 0};
}

std::vector<std::string> chosen(const RunOptions& options) {
    std::vector<std::string> ids = options.experiments;
    for (const std::string& id : ids)
        if (!experiments().contains(id))
            throw UsageError(fmt::format("{}: no such experiment; see gridmark list", id));
    if (ids.empty())
        for (const auto& [id, experiment] : experiments())
            if (options.ranks.empty() || experiment.ranked != nullptr) ids.push_back(id);
    return ids;
}

Job common_job(const RunOptions& options) {
    Job job;
    job.task = "context";
    job.preset = options.preset;
    job.filter = options.filter;
    job.threads = options.threads;
    job.device = options.device;
    if (const auto cpus = read_affinity()) job.cpus = static_cast<int>(cpus.value->size());
    job.device_memory = options.device_memory;
    job.seed = options.seed;
    job.set = options.set;
    job.allow_shared = options.allow_shared;
    // Three that hang are done before the group is given up.
    job.peers = {options.peers, options.timeout / 5};
    job.axes = options.axes;
    job.ranks = {options.ranks, options.launcher, options.timeout / 5};
    return job;
}

/// The rows that a row is made of, and itself.
void add_with_sources(const Plan& plan, const std::string& row, std::vector<std::string>& names) {
    if (std::ranges::find(names, row) != names.end()) return;
    names.push_back(row);
    for (const Difference& difference : plan.differences)
        if (difference.name == row)
            for (const std::string& source : {difference.minuend, difference.subtrahend})
                add_with_sources(plan, source, names);
    for (const Derived& derived : plan.derived)
        if (derived.name == row)
            for (const std::string& source : derived.from)
                add_with_sources(plan, source, names);
}

/// The options that measure the one row: by the first preset that has it, the given one before others, or by
/// the parameters that a file of `from` holds of it. `only`: its name, and those of its sources.
RunOptions options_for_row(RunOptions options, std::vector<std::string>& only) {
    const std::string id = options.row.substr(0, options.row.find('/'));
    if (!experiments().contains(id))
        throw UsageError(fmt::format("--row {}: begins with no experiment's name", options.row));
    if (!options.experiments.empty() && options.experiments != std::vector{id})
        throw UsageError(fmt::format("--row {}: is one of {}", options.row, id));
    options.experiments = {id};
    Job job = common_job(options);
    job.experiment = id;
    const auto adds_row = [&] {
        const Plan plan = naming_plan(job);
        const auto names = row_names(plan);
        if (std::ranges::find(names, options.row) == names.end()) return false;
        add_with_sources(plan, options.row, only);
        return true;
    };
    const Preset given = options.preset;
    for (const Preset preset : {given, Preset::paper, Preset::full, Preset::quick}) {
        job.preset = options.preset = preset;
        if (adds_row()) return options;
    }
    job.preset = options.preset = given;
    const Row row = row_named(options.from, id, options.row);
    job.axes = options.axes = axes_of(row, experiments().at(id));
    if (!adds_row())
        throw UsageError(fmt::format("--row {}: its parameters in {} do not make it again", options.row,
                                     options.from.string()));
    return options;
}

/// Jobs go to the processes as JSON, whose text is UTF-8.
void check_text(const Job& job) {
    try {
        to_json(job).dump();
    } catch (const json::exception&) {
        throw UsageError("--filter, --set: not UTF-8 text");
    }
}

/// Starts and ends the largest number of ranks: whoever starts them refuses what cannot be before anything is
/// measured.
void try_ranks(const RankOptions& ranks) {
    try {
        const RankJob job(ranks, *std::ranges::max_element(ranks.counts));
    } catch (const RankError& error) {
        throw UsageError(fmt::format("--ranks: {}", error.what()));
    }
}

void check_program(const std::string& program) {
    if (!program.empty() && ::access(program.c_str(), X_OK) != 0)
        throw UsageError(fmt::format("--peers: {}: no program that can be started", program));
}

}  // namespace

double core_pace() {
    constexpr double reference = 2;  // ns a load from the L1 cache, cpu_l1_latency of results/nvidia-h100
    return quick_l1_latency() / reference;
}

std::vector<double> RunRequest::seconds(bool gpu, double pace) const {
    std::vector<double> each;
    for (const Forecast& forecast : forecasts)
        each.push_back(forecast.on(gpu, pace));
    return each;
}

RunOptions with_threads(RunOptions options, const Threads& team) {
    options.threads = team.threads;
    return options;
}

RunRequest check_request(const RunOptions& given) {
    std::vector<std::string> only;
    const RunOptions options = given.row.empty() ? given : options_for_row(given, only);
    RunRequest request{
        options, {}, {}, ceilings(options.preset), RowFilter(options.filter, only), common_job(options)};
    request.job.only = only;
    check_text(request.job);
    check_program(options.peers);
    if (!options.ranks.empty()) try_ranks(request.job.ranks);
    const std::vector<std::string> ids = chosen(options);
    for (const std::string& id : ids) {
        Job job = request.job;
        job.experiment = id;
        // Refuses keys and values. A study without a row to measure keeps the file that it has.
        if (const auto forecast = declared_seconds(job, request.filter)) {
            request.experiments.push_back(id);
            request.forecasts.push_back(*forecast);
        }
    }
    if (request.experiments.empty())
        throw UsageError(fmt::format("{}: no row of {} {}; --dry-run lists those that there are",
                                     options.filter.empty() ? "run" : "--filter " + options.filter,
                                     fmt::join(ids, ", "),
                                     options.filter.empty() ? "is there to measure" : "matches"));
    return request;
}

}  // namespace gridmark::harness
