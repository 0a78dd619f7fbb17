#include "harness/run/job.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <iterator>
#include <set>

#include "harness/ceilings/ceilings.hpp"
#include "harness/gpu/properties.hpp"
#include "harness/machine/cpu.hpp"
#include "harness/machine/describe_machine.hpp"
#include "harness/machine/group_clocks.hpp"
#include "harness/os/limits.hpp"
#include "harness/ranks/job.hpp"
#include "harness/run/company.hpp"
#include "harness/run/measure.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// What runs `run --ranks`: where its ranks are, and what their messages cost.
json rank_ceilings(const Job& job, json& context) {
    try {
        RankJob ranks(job.ranks, *std::ranges::max_element(job.ranks.counts));
        context["rank_placement"] = ranks.placement();
        if (ranks.ranks() > 1) return measure_rank_messages(ranks);
    } catch (const std::exception& error) {
        context["reasons"]["rank_placement"] = error.what();
    }
    return json::array();
}

/// What the driver does not tell of who uses the GPU and of its clocks, in words; empty without a GPU.
std::string unseen_here(const GpuWatch& watch, int device) {
    std::string unseen = watch.unseen();
    const auto gpu = read_gpu_properties(device);
    const auto slowed = gpu ? read_slowed_seconds(gpu.value->pci_bus_id) : known(SlowedSeconds());
    if (!slowed) unseen += (unseen.empty() ? "" : "; ") + ("how long the GPU is slowed: " + slowed.reason);
    return unseen;
}

/// What the machine is, which a crash while its ceilings are measured shall not cost.
void tell_context(const Job& job) {
    GpuWatch watch(read_gpu_uuid(job.device));
    Gpu gpu = open_gpu(job);
    json context = describe_machine({.threads = job.threads, .gpu_ordinal = job.device});
    context["company"] = {{"gpu", watch.now()}};
    if (const std::string unseen = unseen_here(watch, job.device); !unseen.empty())
        context["company"]["unseen"] = unseen;
    const json of_ranks = job.ranks.given() ? rank_ceilings(job, context) : json::array();
    send_event({{"event", "context"}, {"context", context}});
    watch.begin();
    const int threads = job.cpus > 0 ? std::min(job.threads, job.cpus) : job.threads;
    json ceilings =
        measure_ceilings({.threads = threads, .gpu = gpu.device.get(), .quick = job.preset == Preset::quick});
    for (const json& ceiling : of_ranks)
        ceilings.push_back(ceiling);
    send_event({{"event", "ceilings"}, {"ceilings", ceilings}, {"company", watch.end()}});
}

/// With what the GPU's clocks did meanwhile, where it was timed.
void send_rows(const std::vector<Row>& rows, const json& clocks = nullptr) {
    json event{{"event", "rows"}, {"rows", rows}};
    const auto timed = std::ranges::find_if(rows, [](const Row& row) {
        return !row.group.empty() && row.clock != to_string(Series::Clock::wall);
    });
    if (timed != rows.end() && !clocks.is_null()) event["clocks"] = {{timed->group, clocks}};
    send_event(event);
}

/// Rows that cannot run here, with their reasons.
std::vector<Row> skipped_rows(const Job& job, const Plan& plan, const std::set<std::string>& wanted) {
    std::vector<Row> rows = blank_rows(job.experiment, plan);
    std::erase_if(rows, [&](const Row& row) { return row.reason.empty() || !wanted.contains(row.name); });
    return rows;
}

int measure(const Job& job) {
    GpuWatch watch(read_gpu_uuid(job.device));
    // Static, and made before any of a study's own statics, which may hold memory of it to the end.
    static const Gpu gpu = open_gpu(job);
    const Plan plan = plan_of(job, gpu);
    const RowFilter filter(job.filter, job.only);
    const std::vector<std::string> names = row_names(plan);
    std::vector<std::string> matching;
    std::set<std::string> wanted;
    std::set<std::string> combined;  // by the parent, from the others
    for (const Difference& difference : plan.differences)
        combined.insert(difference.name);
    for (const Derived& derived : plan.derived)
        combined.insert(derived.name);
    for (const std::string& name : names) {
        if (combined.contains(name) || !filter.matches(name)) continue;
        matching.push_back(name);
        if (is_left(job, name)) wanted.insert(name);
    }
    send_event({{"event", "plan"}, {"rows", names}, {"matching", matching}});
    if (const auto rows = skipped_rows(job, plan, wanted); !rows.empty()) send_rows(rows);

    json reasons = json::object();
    const json before = read_gpu_clocks(job.device, "clocks.before", reasons);
    const auto cpu_before = read_cpu_time();
    const MeasureContext context{.experiment = job.experiment,
                                 .protocol = protocol(job.preset),
                                 .gpu = gpu.device.get(),
                                 .machine = limits_of(job.machine),
                                 .is_first = job.process == 0,
                                 .device = job.device};
    std::vector<Witness> witnesses = witnesses_of(job);
    witnesses.push_back(witness_of(watch));
    const auto properties = read_gpu_properties(job.device);
    bool gpu_lost = false;
    for (const Task& task : tasks_of(plan, wanted, context, gpu_lost)) {
        send_event({{"event", "begin"}, {"rows", task.rows}});
        Company company(witnesses);
        const GroupClocks clocks(properties);
        std::vector<Row> rows = task.measure();
        const json of_group = gpu_lost ? json() : clocks.after(reasons);
        company.mark(rows, job.allow_shared);
        send_rows(rows, of_group);
        if (gpu_lost) return exit_gpu_lost;
    }
    const json after = read_gpu_clocks(job.device, "clocks.after", reasons);
    json clocks{{"before", before}, {"after", after}};
    put(clocks, reasons, "clocks.cpu_stolen", stolen_share(cpu_before, read_cpu_time()));
    send_event({{"event", "end"}, {"clocks", clocks}, {"reasons", reasons}});
    return 0;
}

}  // namespace

int run_child() {
    // The parent decides what Ctrl-C means, and a scheduler's SIGTERM, which may come to this process first.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_IGN);
    // A profiler that this process starts must not hold the pipe open when this process is gone.
    ::fcntl(event_descriptor, F_SETFD, FD_CLOEXEC);
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const Job job = job_from_json(json::parse(text));
    (void)start_threads(0);  // verifying takes all CPUs, and no region loses threads on the way
    if (job.task == "context") {
        tell_context(job);
        return 0;
    }
    return measure(job);
}

}  // namespace gridmark::harness
