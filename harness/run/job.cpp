#include "harness/run/job.hpp"

#include <string>
#include <vector>

#include "harness/os/resources.hpp"
#include "harness/results/result_file.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {

bool is_left(const Job& job, const std::string& row) {
    const auto found = job.finished.find(row);
    return found == job.finished.end() || (found->second >= 0 && found->second <= job.process);
}

Process start(const Job& job) {
    return {{"_child"}, MemoryFile(to_json(job).dump()).descriptor()};
}

nlohmann::json to_json(const Job& job) {
    return {
        {"task", job.task},
        {"experiment", job.experiment},
        {"preset", to_string(job.preset)},
        {"filter", job.filter},
        {"threads", job.threads},
        {"device", job.device},
        {"cpus", job.cpus},
        {"device_memory", job.device_memory},
        {"seed", job.seed},
        {"set", job.set},
        {"process", job.process},
        {"finished", job.finished},
        {"machine", job.machine},
        {"peers", {{"program", job.peers.program}, {"patience", job.peers.patience}}},
        {"axes", to_json(job.axes)},
        {"ranks",
         {{"counts", job.ranks.counts}, {"launcher", job.ranks.launcher}, {"patience", job.ranks.patience}}},
        {"allow_shared", job.allow_shared},
        {"only", job.only}};
}

Job job_from_json(const nlohmann::json& d) {
    Job job;
    job.task = d.at("task");
    job.experiment = d.at("experiment");
    job.preset = parse_preset(d.at("preset"));
    job.filter = d.at("filter");
    job.threads = d.at("threads");
    job.device = d.at("device");
    job.cpus = d.at("cpus");
    job.device_memory = d.at("device_memory");
    job.seed = d.at("seed");
    job.set = d.at("set").get<std::map<std::string, std::string>>();
    job.process = d.at("process");
    job.finished = d.at("finished").get<std::map<std::string, int>>();
    job.machine = d.at("machine");
    job.peers = {d.at("peers").at("program"), d.at("peers").at("patience")};
    job.axes = axes_from_json(d.at("axes"));
    const nlohmann::json& ranks = d.at("ranks");
    job.ranks = {ranks.at("counts").get<std::vector<int>>(), ranks.at("launcher"), ranks.at("patience")};
    job.allow_shared = d.at("allow_shared");
    job.only = d.at("only").get<std::vector<std::string>>();
    return job;
}

void check_event(const nlohmann::json& event) {
    using Names = std::vector<std::string>;
    using Texts = std::map<std::string, std::string>;
    const auto kind = event.at("event").get<std::string>();
    if (kind == "context") {
        (void)event.at("context").at("reasons").get<Texts>();
        if (event.at("context").contains("company"))
            (void)event.at("context").at("company").at("gpu").get<Names>();
    } else if (kind == "ceilings") {
        (void)event.at("ceilings").get_ref<const nlohmann::json::array_t&>();
        (void)event.value("company", nlohmann::json::array()).get<Names>();
    } else if (kind == "plan") {
        (void)event.at("rows").get<Names>();
        (void)event.at("matching").get<Names>();
    } else if (kind == "begin") {
        (void)event.at("rows").get<Names>();
    } else if (kind == "rows") {
        for (const auto& row : event.at("rows").get_ref<const nlohmann::json::array_t&>())
            check_row(row, "rows");
        using Groups = std::map<std::string, nlohmann::json::object_t>;
        (void)event.value("clocks", nlohmann::json::object()).get<Groups>();
    } else if (kind == "end") {
        (void)event.at("clocks").get_ref<const nlohmann::json::object_t&>();
        (void)event.at("reasons").get<Texts>();
    } else {
        throw UsageError(kind + ": no such event");
    }
}

}  // namespace gridmark::harness
