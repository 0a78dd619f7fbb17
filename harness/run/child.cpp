#include "harness/run/child.hpp"

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <csignal>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>

#include "harness/ceilings/ceilings.hpp"
#include "harness/gpu/properties.hpp"
#include "harness/machine/cpu.hpp"
#include "harness/machine/describe_machine.hpp"
#include "harness/machine/gpu.hpp"
#include "harness/run/events.hpp"
#include "harness/run/measure_group.hpp"
#include "harness/run/profile.hpp"
#include "harness/run/rows.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// The GPU of a job, or why there is none.
struct Gpu {
    std::unique_ptr<launch::Device> device;
    std::string reason;
    std::size_t free_memory = 0, l2_bytes = 0;
};

Gpu open_gpu(const Job& job) {
    Gpu gpu;
    try {
        gpu.device = launch::gpu_device(job.device);
        if (const auto properties = read_gpu_properties(job.device)) {
            gpu.free_memory = static_cast<std::size_t>(properties.value->memory_free_bytes);
            gpu.l2_bytes = static_cast<std::size_t>(properties.value->l2_bytes);
        }
        if (job.device_memory > 0) gpu.free_memory = std::min(gpu.free_memory, job.device_memory);
    } catch (const launch::Error& error) {
        gpu.device.reset();
        gpu.reason = error.what();
    }
    return gpu;
}

json context_of(const Job& job) {
    Gpu gpu = open_gpu(job);
    json context = describe_machine({.threads = job.threads, .gpu_ordinal = job.device});
    context["ceilings"] = measure_ceilings(
        {.threads = job.threads, .gpu = gpu.device.get(), .quick = job.preset == Preset::quick});
    return context;
}

/// Splits groups by clock and puts the kernel clock last: CUPTI leaves its hooks in the process, and step
/// times taken after it would pay for them.
std::vector<Session> sessions_of(const Plan& plan, const std::set<std::string>& wanted) {
    std::vector<Session> sessions;
    for (auto clock : {Series::Clock::wall, Series::Clock::step, Series::Clock::kernel}) {
        for (const Group& group : plan.groups) {
            Session session{group.name + "/" +
                                (clock == Series::Clock::wall   ? "wall"
                                 : clock == Series::Clock::step ? "step"
                                                                : "kernel"),
                            clock,
                            {}};
            for (const Point& point : group.points)
                for (const Series& series : point.series)
                    if (series.clock == clock && point.unavailable.empty() &&
                        wanted.contains(row_name(point, series)))
                        session.members.emplace_back(&point, series);
            if (!session.members.empty()) sessions.push_back(std::move(session));
        }
    }
    return sessions;
}

/// Takes what Google Benchmark reports and prints nothing: the parent does.
class Silent final : public benchmark::BenchmarkReporter {
  public:
    bool ReportContext(const Context&) override { return true; }
    void ReportRuns(const std::vector<Run>&) override {}
};

/// Measures sessions through Google Benchmark, which registers, names and runs one benchmark a row. The first
/// row of a session to run measures all of it, in turns; the others find their rows done.
class Measurement {
  public:
    Measurement(const Job& job, MeasureContext context) : job_(job), context_(std::move(context)) {}

    void run(const std::vector<Session>& sessions, const std::vector<ProfiledPoint>& profiled) {
        for (const Session& session : sessions)
            for (const auto& [point, series] : session.members)
                add(row_name(*point, series), [this, &session] { measure(session); });
        for (const ProfiledPoint& point : profiled)
            for (const Metric& metric : point.metrics)
                add(row_name(point, metric), [this, &point] { profile(point); });
        Silent reporter;
        if (count_ > 0) benchmark::RunSpecifiedBenchmarks(&reporter, ".");
    }

    bool gpu_lost() const { return gpu_lost_; }

  private:
    void add(const std::string& name, const std::function<void()>& measure) {
        ++count_;
        const auto function = [this, name, measure](benchmark::State& state) {
            if (!medians_.contains(name) && !gpu_lost_) measure();
            const double seconds = medians_.contains(name) ? medians_[name] : 0;
            // Time that is set by hand must be set in every iteration.
            for (auto _ : state)
                state.SetIterationTime(seconds);
        };
        benchmark::RegisterBenchmark(name.c_str(), function)->Iterations(1)->UseManualTime();
    }

    void measure(const Session& session) {
        json names = json::array();
        for (const auto& [point, series] : session.members)
            names.push_back(row_name(*point, series));
        send_event({{"event", "begin"}, {"rows", names}});
        finish(measure_session(session, context_, gpu_lost_));
    }

    void profile(const ProfiledPoint& point) {
        json names = json::array();
        for (const Metric& metric : point.metrics)
            names.push_back(row_name(point, metric));
        send_event({{"event", "begin"}, {"rows", names}});
        finish(profile_rows(context_.experiment, point, job_.device));
    }

    void finish(const std::vector<json>& rows) {
        for (const json& row : rows)
            medians_[row["name"]] = row["median"].is_number() ? row["median"].get<double>() * 1e-6 : 0.0;
        send_event({{"event", "rows"}, {"rows", rows}});
    }

    const Job& job_;
    MeasureContext context_;
    std::map<std::string, double> medians_;
    int count_ = 0;
    bool gpu_lost_ = false;
};

/// Rows that cannot run here, with their reasons.
std::vector<json> skipped_rows(const Job& job, const Plan& plan, const std::set<std::string>& wanted) {
    std::vector<json> rows;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            for (const Series& series : point.series)
                if (!point.unavailable.empty() && wanted.contains(row_name(point, series)))
                    rows.push_back(
                        row_without_time(job.experiment, point, series, "skipped", point.unavailable));
    for (const ProfiledPoint& point : plan.profiled)
        for (const Metric& metric : point.metrics)
            if (!point.unavailable.empty() && wanted.contains(row_name(point, metric)))
                rows.push_back(profiled_row(job.experiment, point, metric, "skipped", point.unavailable));
    return rows;
}

/// What is left to profile here: points with the metrics of the rows that are wanted.
std::vector<ProfiledPoint> profiled_points(const Plan& plan, const std::set<std::string>& wanted) {
    std::vector<ProfiledPoint> points;
    for (ProfiledPoint point : plan.profiled) {
        std::erase_if(point.metrics,
                      [&](const Metric& metric) { return !wanted.contains(row_name(point, metric)); });
        if (point.unavailable.empty() && !point.metrics.empty()) points.push_back(std::move(point));
    }
    return points;
}

int measure(const Job& job) {
    // Static, and made before any of a study's own statics, which may hold memory of it to the end.
    static const Gpu gpu = open_gpu(job);
    const Plan plan =
        experiments()
            .at(job.experiment)
            .plan({.preset = job.preset,
                   .threads = job.threads,
                   .seed = job.seed,
                   .gpu = gpu.device.get(),
                   .no_gpu = gpu.reason,
                   .gpu_memory = gpu.free_memory,
                   .host_memory = static_cast<std::size_t>(read_available_memory().value.value_or(0)),
                   .set = job.set});
    const std::regex filter(job.filter);
    const std::vector<std::string> names = row_names(plan);
    std::vector<std::string> matching;
    std::set<std::string> wanted;
    std::set<std::string> derived;  // by the parent, from the others
    for (const Difference& difference : plan.differences)
        derived.insert(difference.name);
    for (const std::string& name : names) {
        if (derived.contains(name) || !std::regex_search(name, filter)) continue;
        matching.push_back(name);
        const auto found = job.finished.find(name);
        if (found == job.finished.end() || (found->second >= 0 && found->second <= job.launch))
            wanted.insert(name);
    }
    send_event({{"event", "plan"}, {"rows", names}, {"matching", matching}});
    if (const auto rows = skipped_rows(job, plan, wanted); !rows.empty())
        send_event({{"event", "rows"}, {"rows", rows}});

    json reasons = json::object();
    const json before = read_gpu_clocks(job.device, "clocks.before", reasons);
    Measurement measurement(job,
                            {.experiment = job.experiment,
                             .protocol = protocol(job.preset),
                             .gpu = gpu.device.get(),
                             .ceilings = job.ceilings,
                             .l2_bytes = gpu.l2_bytes,
                             .cpu_cache_bytes = static_cast<std::size_t>(read_caches().l3_total.value_or(0)),
                             .count_events = job.launch == 0});
    // One run of the profiler gives all its samples; it is not asked again by later processes.
    measurement.run(sessions_of(plan, wanted),
                    job.launch == 0 ? profiled_points(plan, wanted) : std::vector<ProfiledPoint>());
    if (measurement.gpu_lost()) return exit_gpu_lost;
    const json after = read_gpu_clocks(job.device, "clocks.after", reasons);
    send_event({{"event", "end"}, {"clocks", {{"before", before}, {"after", after}}}, {"reasons", reasons}});
    return 0;
}

}  // namespace

int run_child() {
    std::signal(SIGINT, SIG_IGN);  // the parent decides what Ctrl-C means
    const std::string text{std::istreambuf_iterator<char>(std::cin), {}};
    const Job job = job_from_json(json::parse(text));
    if (job.task == "context") {
        send_event({{"event", "context"}, {"context", context_of(job)}});
        return 0;
    }
    return measure(job);
}

}  // namespace gridmark::harness
