#include "harness/run/request.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>

#include "harness/run/rows.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// What a study declares that the chosen rows take; without a declaration a second a row and process.
double declared_seconds(const Job& job, const RowFilter& filter) {
    const Plan plan = naming_plan(job);
    const auto names = row_names(plan);
    const auto chosen = static_cast<double>(std::count_if(
        names.begin(), names.end(), [&](const std::string& name) { return filter.matches(name); }));
    const json study = study_of(experiments().at(job.experiment));
    if (!study.contains("seconds")) return chosen * protocol(job.preset).process_launches;
    return study["seconds"][to_string(job.preset)].get<double>() * chosen / static_cast<double>(names.size());
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

Plan naming_plan(const Job& job) {
    return experiments()
        .at(job.experiment)
        .plan({job.preset, job.threads, job.seed, nullptr, "not asked", 0, 0, job.set, job.device_memory,
               job.peers});
}

RunRequest check_request(const RunOptions& options) {
    RunRequest request{chosen(options), {}, RowFilter(options.filter), common_job(options)};
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
