#include "harness/run/measure.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include "harness/papi/papi_counters.hpp"
#include "harness/run/combined.hpp"
#include "harness/run/limit.hpp"
#include "harness/run/prepared.hpp"
#include "harness/run/profile.hpp"
#include "harness/run/registry.hpp"
#include "harness/run/rows.hpp"
#include "harness/run/samplers.hpp"
#include "harness/run/timeline.hpp"

namespace gridmark::harness {
namespace {

/// A member on its way to a row.
struct Entry {
    const Point* point;
    Series series;
    Row row;
    Work* work = nullptr;  // null when it must not be timed
};

void give_up(Entry& entry, const MissingReason& none) {
    entry.row = row_without_time(entry.row.experiment, *entry.point, entry.series, none.status, none.reason);
    entry.work = nullptr;
}

/// Prepares all entries; a point's series share what is prepared. All are made before the first is checked:
/// other frameworks load at the same time.
std::map<std::string, Prepared> prepare_all(std::vector<Entry>& entries, bool& gpu_lost) {
    const MissingReason lost{Status::failed, "the GPU was lost to an earlier error in this group"};
    std::map<std::string, Prepared> prepared;
    for (const Entry& entry : entries) {
        const auto [mine, is_new] = prepared.try_emplace(entry.point->name);
        if (!is_new) continue;
        if (gpu_lost)
            mine->second.none = lost;
        else
            mine->second = make(entry.point->prepare, gpu_lost);
    }
    for (Entry& entry : entries) {
        Prepared& mine = prepared[entry.point->name];
        if (mine.work != nullptr && !mine.checked) {
            if (gpu_lost)
                mine.none = lost;
            else
                check(mine, gpu_lost);
        }
        entry.work = mine.work.get();
        if (mine.none) give_up(entry, *mine.none);
        entry.row.verification = mine.verification;
        entry.row.kernel = mine.kernel;
        entry.row.made_by = mine.made_by;
    }
    return prepared;
}

/// The protocol for what is sampled in turns: the member that wants the most samples decides for all.
Protocol protocol_for(const std::vector<Entry*>& entries, Protocol protocol) {
    constexpr int fewest = 3;
    int wanted = 0;
    for (const Entry* entry : entries) {
        if (entry->point->samples == 0) return protocol;
        wanted = std::max({wanted, entry->point->samples, fewest});
    }
    protocol.fewest_samples = protocol.least_samples = protocol.most_samples = wanted;
    return protocol;
}

void time_entries(std::vector<Entry*>& entries, const Session& session, const MeasureContext& context) {
    std::vector<Timed> timed;
    for (const Entry* entry : entries)
        timed.push_back({entry->work, entry->series, entry->point->iterations});
    const Protocol protocol = protocol_for(entries, context.protocol);
    const auto sampler = make_sampler(session.clock, timed, context.gpu, protocol);
    const Sampled sampled = sample(*sampler, protocol);
    for (std::size_t k = 0; k < entries.size(); ++k) {
        Row& row = entries[k]->row;
        const Point& point = *entries[k]->point;
        std::vector<double> microseconds(sampled.samples[k]);
        for (double& s : microseconds)
            s *= 1e6 / point.steps;
        set_samples(row, microseconds);
        row.iterations = timed[k].iterations * point.steps;
        row.stopped = sampled.stopped;
        row.group = session.group;
        set_limits(row, point, entries[k]->series, context.machine);
        const bool is_own = timed[k].work->made_by().empty();
        if (session.clock == Series::Clock::wall && context.is_first && is_own) {
            row.counters = count_events([&] { timed[k].work->iterate(timed[k].iterations); });
            row.counters->counts["iterations"] = timed[k].iterations * point.steps;
        }
    }
}

/// Times all of them in turns. A peer that fails meanwhile is left out, and the others begin anew; any other
/// error fails them all.
void time_or_give_up(std::vector<Entry*>& timed, const Session& session, const MeasureContext& context,
                     bool& gpu_lost) {
    const Work* lost = nullptr;
    do {
        std::optional<MissingReason> none;
        if (gpu_lost)
            none = MissingReason{Status::failed,
                                 "the GPU was lost to an error of another variant in this group"};
        else if (!timed.empty())
            none = attempt(
                [&] {
                    try {
                        time_entries(timed, session, context);
                    } catch (const WorkLost& error) {
                        lost = error.work;
                        throw;
                    }
                },
                gpu_lost);
        if (!none) return;
        std::erase_if(timed, [&](Entry* entry) {
            if (lost != nullptr && entry->work != lost) return false;
            give_up(*entry, *none);
            return true;
        });
    } while (std::exchange(lost, nullptr) != nullptr);
}

}  // namespace

std::vector<Row> measure_session(const Session& session, const MeasureContext& context, bool& gpu_lost) {
    std::vector<Entry> entries;
    for (const auto& [point, series] : session.members) {
        Row row = row_without_time(context.experiment, *point, series, Status::ok, "");
        entries.push_back({point, series, std::move(row)});
    }
    const auto prepared = prepare_all(entries, gpu_lost);
    std::vector<Entry*> timed;
    for (Entry& entry : entries)
        if (entry.work != nullptr) timed.push_back(&entry);
    time_or_give_up(timed, session, context, gpu_lost);
    std::vector<Row> rows;
    for (Entry& entry : entries)
        rows.push_back(std::move(entry.row));
    return rows;
}

namespace {

using Names = std::set<std::string>;

/// The wanted rows of each group by clock: what is measured in turns.
std::vector<Session> sessions_of(const Plan& plan, const Names& wanted) {
    std::vector<Session> sessions;
    const Group* group = nullptr;
    for (const TimedRow& row : timed_rows(plan)) {
        if (!wanted.contains(row.name)) continue;
        if (sessions.empty() || group != row.group || sessions.back().clock != row.series.clock)
            sessions.push_back({row.group->name + "/" + to_string(row.series.clock), row.series.clock, {}});
        group = row.group;
        sessions.back().members.emplace_back(row.point, row.series);
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
    if (!context.is_first) return tasks;
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
