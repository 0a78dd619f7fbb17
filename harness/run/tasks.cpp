#include "harness/run/tasks.hpp"

#include <utility>

#include "harness/run/combined.hpp"
#include "harness/run/profile.hpp"
#include "harness/run/rows.hpp"
#include "harness/run/timeline.hpp"

namespace gridmark::harness {
namespace {

using Names = std::set<std::string>;

/// Splits groups by clock and puts the kernel clock last: CUPTI leaves its hooks in the process, and step
/// times taken after it would pay for them.
std::vector<Session> sessions_of(const Plan& plan, const Names& wanted) {
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

/// What is left to profile: points with the metrics of the rows that are wanted.
std::vector<ProfiledPoint> profiled_points(const Plan& plan, const Names& wanted) {
    std::vector<ProfiledPoint> points;
    for (ProfiledPoint point : plan.profiled) {
        std::erase_if(point.metrics,
                      [&](const Metric& metric) { return !wanted.contains(row_name(point, metric)); });
        if (point.unavailable.empty() && !point.metrics.empty()) points.push_back(std::move(point));
    }
    return points;
}

Task task_of(Session session, const MeasureContext& context, bool& gpu_lost) {
    Task task;
    for (const auto& [point, series] : session.members)
        task.rows.push_back(row_name(*point, series));
    task.measure = [session = std::move(session), &context, &gpu_lost] {
        return measure_session(session, context, gpu_lost);
    };
    return task;
}

Task task_of(const Computed& computed, const MeasureContext& context, bool& gpu_lost) {
    return {{computed.name}, [&computed, &context, &gpu_lost] {
                return std::vector<Row>{compute_row(context.experiment, computed, gpu_lost)};
            }};
}

/// The rows of a timeline that are wanted; it is measured as a whole.
Task task_of(const Timeline& timeline, const Names& wanted, const MeasureContext& context, bool& gpu_lost) {
    Task task;
    for (const char* activity : timeline_activities)
        if (wanted.contains(row_name(timeline, activity))) task.rows.push_back(row_name(timeline, activity));
    task.measure = [&timeline, &wanted, &context, &gpu_lost] {
        auto rows = measure_timeline(context.experiment, timeline, gpu_lost);
        std::erase_if(rows, [&](const Row& row) { return !wanted.contains(row.name); });
        return rows;
    };
    return task;
}

Task task_of(ProfiledPoint point, const MeasureContext& context) {
    Task task;
    for (const Metric& metric : point.metrics)
        task.rows.push_back(row_name(point, metric));
    task.measure = [point = std::move(point), &context] {
        return profile_rows(context.experiment, point, context.device);
    };
    return task;
}

}  // namespace

std::vector<Task> tasks_of(const Plan& plan, const Names& wanted, const MeasureContext& context,
                           bool& gpu_lost) {
    std::vector<Task> tasks;
    for (Session& session : sessions_of(plan, wanted))
        tasks.push_back(task_of(std::move(session), context, gpu_lost));
    if (!context.first_launch) return tasks;
    for (const Computed& computed : plan.computed)
        if (computed.unavailable.empty() && wanted.contains(computed.name))
            tasks.push_back(task_of(computed, context, gpu_lost));
    for (const Timeline& timeline : plan.timelines) {
        Task task = task_of(timeline, wanted, context, gpu_lost);
        if (timeline.unavailable.empty() && !task.rows.empty()) tasks.push_back(std::move(task));
    }
    for (ProfiledPoint& point : profiled_points(plan, wanted))
        tasks.push_back(task_of(std::move(point), context));
    return tasks;
}

}  // namespace gridmark::harness
