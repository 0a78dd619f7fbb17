#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "harness/os/streams.hpp"
#include "harness/run/progress.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/request.hpp"
#include "harness/run/rows.hpp"
#include "harness/run/run.hpp"

namespace gridmark::harness {
namespace {

std::string in_gibibytes(double bytes) {
    return bytes > 0 ? fmt::format("{:.3g}", bytes / 0x1p30) : "-";
}

/// What is in memory at a time: the members of a group that a filter leaves.
Memory most_at_a_time(const Plan& plan, const RowFilter& filter) {
    Memory most;
    for (const Group& group : plan.groups) {
        Memory together;
        for (const Point& point : group.points) {
            const bool runs =
                point.unavailable.empty() && std::ranges::any_of(point.series, [&](const Series& series) {
                    return filter.matches(row_name(point, series));
                });
            if (!runs) continue;
            together.host += point.memory.host;
            together.gpu += point.memory.gpu;
        }
        most.host = std::max(most.host, together.host);
        most.gpu = std::max(most.gpu, together.gpu);
    }
    return most;
}

}  // namespace

void dry_run(const RunOptions& given) {
    const Threads team = start_threads(given.threads);
    const RunRequest request = check_request(with_threads(given, team));
    static const Gpu gpu = open_gpu(request.job);
    int rows = 0, running = 0;
    Memory most;
    if (!team.remark.empty()) print_out("{}\n", team.remark);
    print_out("{:>9} {:>9}  row\n", "host GiB", "GPU GiB");
    for (const std::string& id : request.experiments) {
        Job job = request.job;
        job.experiment = id;
        const Plan plan = plan_of(job, gpu);
        for (const Row& row : blank_rows(id, plan)) {
            if (!request.filter.matches(row.name)) continue;
            const Memory memory = row.memory.value_or(Memory{});
            print_out("{:>9} {:>9}  {}{}\n", in_gibibytes(memory.host), in_gibibytes(memory.gpu), row.name,
                      row.reason.empty() ? "" : ": cannot run: " + row.reason);
            ++rows;
            running += row.reason.empty();
        }
        const Memory here = most_at_a_time(plan, request.filter);
        most.host = std::max(most.host, here.host);
        most.gpu = std::max(most.gpu, here.gpu);
    }
    const bool has_gpu = gpu.device != nullptr;
    const double pace = core_pace();
    double seconds = request.ceilings.on(has_gpu, pace);
    for (const double experiment : request.seconds(has_gpu, pace))
        seconds += experiment;
    print_out("{} of {} rows can run here, in {} min {}; nothing was measured\n", running, rows,
              minutes(seconds),
              request.options.axes.given() ? "at most, and what making and verifying the fields takes"
                                           : "as declared");
    print_out("memory at a time, at most: {} GiB of the host, {} GiB of the GPU\n", in_gibibytes(most.host),
              in_gibibytes(most.gpu));
}

}  // namespace gridmark::harness
