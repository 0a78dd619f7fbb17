#include "harness/run/lost_claims.hpp"

#include <algorithm>
#include <map>

#include "harness/run/registry.hpp"
#include "harness/run/rows.hpp"
#include "harness/verdicts/verdict.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

/// By the names of rows.
using Needs = std::map<std::string, std::set<Need>>;

std::set<Need> needs_of(const Planned& planned) {
    return planned.on_gpu ? std::set{Need::gpu} : std::set<Need>{};
}

void add(Needs& needs, const std::string& row, const Needs& others, const std::string& source) {
    const auto found = others.find(source);
    if (found != others.end()) needs[row].insert(found->second.begin(), found->second.end());
}

Needs needs_of_rows(const Plan& plan) {
    Needs needs;
    for (const Group& group : plan.groups)
        for (const Point& point : group.points)
            for (const Series& series : point.series) {
                auto& of_row = needs[row_name(point, series)] = needs_of(point);
                if (series.clock == Series::Clock::kernel) of_row.insert(Need::kernel_clock);
            }
    for (const Computed& computed : plan.computed)
        needs[computed.name] = needs_of(computed);
    for (const Timeline& timeline : plan.timelines)
        for (const char* activity : timeline_activities)
            needs[row_name(timeline, activity)] = {Need::gpu, Need::kernel_clock};
    for (const ProfiledPoint& point : plan.profiled)
        for (const Metric& metric : point.metrics)
            needs[row_name(point, metric)] = {Need::gpu, Need::profiler};
    for (const Difference& difference : plan.differences)
        for (const std::string& source : {difference.minuend, difference.subtrahend})
            add(needs, difference.name, needs, source);
    for (const Derived& derived : plan.derived)
        for (const std::string& source : derived.from)
            add(needs, derived.name, needs, source);
    return needs;
}

/// A row as if it had been measured: which number it holds decides a verdict, not whether there is one.
void pretend(Row& row) {
    row.status = Status::ok;
    row.reason.clear();
    row.median = 1;
    row.samples.assign(9, 1.0);
}

std::set<std::string> not_run(const json& study, const std::vector<Row>& rows) {
    std::set<std::string> ids;
    for (const json& claim : study["claims"])
        if (decide(claim, rows).verdict == Verdict::not_run) ids.insert(claim["id"].get<std::string>());
    return ids;
}

}  // namespace

std::vector<std::string> lost_claims(const json& study, const Plan& plan, const std::set<Need>& lacking) {
    const Needs needs = needs_of_rows(plan);
    std::vector<Row> all = blank_rows(study["id"], plan), here;
    std::ranges::for_each(all, pretend);
    for (const Row& row : all) {
        const auto of_row = needs.find(row.name);
        const bool lacks = of_row != needs.end() && std::ranges::any_of(lacking, [&](const Need need) {
                               return of_row->second.contains(need);
                           });
        here.push_back(row);
        if (!lacks) continue;
        here.back().status = Status::skipped;
        here.back().reason = "lacking";
        here.back().median.reset();
        here.back().samples.clear();
    }
    const auto before = not_run(study, all), after = not_run(study, here);
    std::vector<std::string> lost;
    for (const json& claim : study["claims"])  // in the study's order
        if (const auto id = claim["id"].get<std::string>(); after.contains(id) && !before.contains(id))
            lost.push_back(id);
    return lost;
}

}  // namespace gridmark::harness
