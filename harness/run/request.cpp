#include "harness/run/request.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "harness/run/rows.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// What the ceilings take, as measured on the machines that the studies' `seconds` are declared for.
double ceilings_seconds(Preset preset) {
    return preset == Preset::quick ? 1 : 12;
}

/// What a study declares that the chosen rows take; without a declaration a second a row and process. The
/// declaration for the preset quick is of a machine without a GPU, where rows that need one take no time.
double declared_seconds(const Job& job, const RowFilter& filter) {
    double all = 0, chosen = 0, all_without_gpu = 0, chosen_without_gpu = 0;
    for (const Row& row : blank_rows(job.experiment, naming_plan(job))) {
        const bool matches = filter.matches(row.name), without_gpu = row.reason != not_asked;
        all += 1;
        chosen += matches;
        all_without_gpu += without_gpu;
        chosen_without_gpu += matches && without_gpu;
    }
    const json study = study_of(experiments().at(job.experiment));
    if (!study.contains("seconds")) return chosen * protocol(job.preset).processes;
    const double seconds = study["seconds"][to_string(job.preset)];
    if (job.preset == Preset::quick && chosen_without_gpu > 0)
        return seconds * chosen_without_gpu / all_without_gpu;
    return all > 0 ? seconds * chosen / all : 0;
}

std::vector<std::string> chosen(const RunOptions& options) {
    std::vector<std::string> ids = options.experiments;
    for (const std::string& id : ids)
        if (!experiments().contains(id))
            throw UsageError(fmt::format("{}: no such experiment; see gridmark list", id));
    if (ids.empty())
        for (const auto& [id, experiment] : experiments())
            ids.push_back(id);
    return ids;
}

Job common_job(const RunOptions& options) {
    Job job;
    job.task = "context";
    job.preset = options.preset;
    job.filter = options.filter;
    job.threads = options.threads;
    job.device = options.device;
    job.device_memory = options.device_memory;
    job.seed = options.seed;
    job.set = options.set;
    // Three that hang are done before the group is given up.
    job.peers = {options.peers, options.timeout / 5};
    return job;
}

/// Jobs go to the processes as JSON, whose text is UTF-8.
void check_text(const Job& job) {
    try {
        to_json(job).dump();
    } catch (const json::exception&) {
        throw UsageError("--filter, --set: not UTF-8 text");
    }
}

void check_program(const std::string& program) {
    if (!program.empty() && ::access(program.c_str(), X_OK) != 0)
        throw UsageError(fmt::format("--peers: {}: no program that can be started", program));
}

}  // namespace

RunRequest check_request(const RunOptions& options) {
    RunRequest request{chosen(options),
                       {},
                       ceilings_seconds(options.preset),
                       RowFilter(options.filter),
                       common_job(options)};
    check_text(request.job);
    check_program(options.peers);
    for (const std::string& id : request.experiments) {
        Job job = request.job;
        job.experiment = id;
        request.seconds.push_back(declared_seconds(job, request.filter));  // refuses keys and values
    }
    return request;
}

}  // namespace gridmark::harness
