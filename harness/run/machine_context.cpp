#include "harness/run/machine_context.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ctime>

#include "harness/os/process.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// The next event; else why there is none, in words.
std::string next_event(Process& process, double timeout, const std::function<void()>& meanwhile,
                       json& event) {
    switch (process.next(timeout, event, meanwhile)) {
        case Process::Wait::event:
            try {
                check_event(event);
                return "";
            } catch (const std::exception& error) {
                return fmt::format("{} ({})", damaged_report, error.what());
            }
        case Process::Wait::damaged:
            return damaged_report;
        case Process::Wait::timed_out:
            return "it hung";
        case Process::Wait::interrupted:
            return "it was interrupted";
        case Process::Wait::ended:
            break;
    }
    const std::string why = process.kill_and_explain();
    return why.empty() ? "it ended without a word" : why;
}

/// What must be equal for a later run to continue a file.
std::string resume_key(const json& context, const RunOptions& options) {
    std::string set;
    for (const auto& [key, value] : options.set)
        set += fmt::format("; {} {}", key, value);
    // Rows that are compared are measured in turns: peers cannot be added to what was measured without them.
    if (!options.peers.empty()) set += "; with peers";
    if (options.axes.given()) set += "; axes " + options.axes.text();
    if (!options.ranks.empty())
        set += fmt::format("; ranks {} by {}", fmt::join(options.ranks, ","), options.launcher);
    return fmt::format("preset {}; seed {}; threads {}; device memory {}{}; build {}; CPU {}; GPU {}",
                       to_string(options.preset), options.seed, options.threads, options.device_memory, set,
                       text_at(context["build"], "build_id"), text_at(context["cpu"], "model"),
                       text_at(context["gpu"], "uuid"));
}

}  // namespace

json machine_context(const Job& job, double timeout, const std::function<void()>& meanwhile) {
    Process process = start(job);
    json machine = {{"build", json::object()}, {"cpu", json::object()},      {"gpu", nullptr},
                    {"topology", nullptr},     {"software", json::object()}, {"reasons", json::object()}};
    json event;
    std::string why = next_event(process, timeout, meanwhile, event);
    if (why.empty() && event["event"] == "context")
        machine = event["context"];
    else
        for (const char* part : {"cpu", "gpu", "topology"})
            machine["reasons"][part] = "reading the machine failed: " + why;
    if (why.empty()) why = next_event(process, timeout, meanwhile, event);
    const bool measured = why.empty() && event["event"] == "ceilings";
    machine["ceilings"] = measured ? event["ceilings"] : json::array();
    if (!measured) machine["reasons"]["ceilings"] = "measuring the ceilings failed: " + why;
    return machine;
}

std::string text_at(const json& object, const char* key) {
    return object.is_object() && object.value(key, json()).is_string() ? object[key].get<std::string>()
                                                                       : "unknown";
}

json full_context(json context, const std::string& experiment, const RunOptions& options) {
    context["experiment"] = experiment;
    context["machine"] =
        context["gpu"].is_object() ? text_at(context["gpu"], "name") : text_at(context["cpu"], "model");
    context["preset"] = to_string(options.preset);
    context["complete"] = false;
    context["date"] = fmt::format("{:%Y-%m-%d}", fmt::gmtime(std::time(nullptr)));
    context["seed"] = options.seed;
    context["ranks"] = options.ranks.empty() ? 1 : *std::ranges::max_element(options.ranks);
    if (!options.ranks.empty()) context["rank_counts"] = options.ranks;
    if (options.axes.given()) context["axes"] = to_json(options.axes);
    context["resume_key"] = resume_key(context, options);
    return context;
}

}  // namespace gridmark::harness
