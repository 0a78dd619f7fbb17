#include "harness/availability.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "harness/os/limits.hpp"
#include "harness/ranks/plan.hpp"
#include "harness/usage_error.hpp"

namespace gridmark::harness {
namespace {

double gibibytes(double bytes) {
    return bytes / 0x1p30;
}

/// Of a planned thing; empty if this machine has what it takes.
std::string unavailable_reason(const Planned& planned, const PlanContext& context) {
    if (planned.on_gpu && context.gpu == nullptr) return context.no_gpu;
    const auto free = static_cast<double>(context.host_memory),
               usable = static_cast<double>(context.gpu_memory);
    // Threads that take turns measure the system's scheduler. Ranks may run on other nodes.
    const auto threads = value_of<std::int64_t>(planned.parameters, "threads", 1);
    if (context.cpus > 0 && threads > context.cpus && !context.ranks.given())
        return fmt::format("needs {} threads, and this process may use {} CPU{}", threads, context.cpus,
                           context.cpus == 1 ? "" : "s");
    if (planned.memory.host > free && !context.host_memory_unknown.empty())
        return fmt::format(
            "needs {:.1f} GiB of host memory, and free memory is not known ({}): {:.1f} are risked",
            gibibytes(planned.memory.host), context.host_memory_unknown, gibibytes(free));
    if (planned.memory.host > free)
        return fmt::format("{} {:.1f} GiB of {}memory, {:.1f} are free",
                           planned.on_gpu ? "its reference needs" : "needs", gibibytes(planned.memory.host),
                           planned.on_gpu ? "host " : "", gibibytes(free));
    if (planned.memory.gpu > usable)
        return fmt::format("needs {:.1f} GiB of GPU memory, {:.1f} may be used",
                           gibibytes(planned.memory.gpu), gibibytes(usable));
    return {};
}

}  // namespace

Plan planned_here(const Experiment& experiment, const PlanContext& context) {
    Plan plan = context.ranks.given()  ? ranks_plan(experiment, context)
                : context.axes.given() ? axes_plan(experiment, context)
                                       : experiment.plan(context);
    // Each starts a profiler for some seconds. A row of them is still measured by its name (`run --row`).
    if (context.preset == Preset::quick) plan.profiled.clear();
    const auto complete = [&](Planned& planned) {
        if (planned.unavailable.empty()) planned.unavailable = unavailable_reason(planned, context);
    };
    for (Group& group : plan.groups)
        std::for_each(group.points.begin(), group.points.end(), complete);
    std::for_each(plan.profiled.begin(), plan.profiled.end(), complete);
    std::for_each(plan.computed.begin(), plan.computed.end(), complete);
    std::for_each(plan.timelines.begin(), plan.timelines.end(), complete);
    return plan;
}

void require_memory(const std::string& what, double bytes) {
    const auto free = read_available_memory();
    if (free && bytes > static_cast<double>(*free.value))
        throw UsageError(fmt::format("{} need {:.1f} GiB of host memory, {:.1f} are free", what,
                                     gibibytes(bytes), gibibytes(static_cast<double>(*free.value))));
}

}  // namespace gridmark::harness
