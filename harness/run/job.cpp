#include "harness/run/job.hpp"

namespace gridmark::harness {

bool is_left(const Job& job, const std::string& row) {
    const auto found = job.finished.find(row);
    return found == job.finished.end() || (found->second >= 0 && found->second <= job.launch);
}

nlohmann::json to_json(const Job& job) {
    return {{"task", job.task},
            {"experiment", job.experiment},
            {"preset", to_string(job.preset)},
            {"filter", job.filter},
            {"threads", job.threads},
            {"device", job.device},
            {"device_memory", job.device_memory},
            {"seed", job.seed},
            {"set", job.set},
            {"launch", job.launch},
            {"finished", job.finished},
            {"ceilings", job.ceilings},
            {"peers", {{"program", job.peers.program}, {"patience", job.peers.patience}}}};
}

Job job_from_json(const nlohmann::json& d) {
    Job job;
    job.task = d.at("task");
    job.experiment = d.at("experiment");
    job.preset = parse_preset(d.at("preset"));
    job.filter = d.at("filter");
    job.threads = d.at("threads");
    job.device = d.at("device");
    job.device_memory = d.at("device_memory");
    job.seed = d.at("seed");
    job.set = d.at("set").get<std::map<std::string, std::string>>();
    job.launch = d.at("launch");
    job.finished = d.at("finished").get<std::map<std::string, int>>();
    job.ceilings = d.at("ceilings");
    job.peers = {d.at("peers").at("program"), d.at("peers").at("patience")};
    return job;
}

}  // namespace gridmark::harness
