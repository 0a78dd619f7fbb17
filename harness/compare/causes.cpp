#include "harness/compare/causes.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "harness/compare/machines.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;

constexpr std::string_view launched = "/step/stream";

bool changed(double ratio) {
    return ratio > resolution || ratio < 1 / resolution;
}

/// The ceiling of a resource that lies nearest to what its rows did: one of them may be the better witness.
struct Move {
    std::string ceiling;
    CeilingValue base, fresh;
    double ratio;
};

std::optional<Move> move_of(const std::string& resource, double rows,
                            const std::map<std::string, CeilingValue>& base,
                            const std::map<std::string, CeilingValue>& fresh) {
    std::optional<Move> nearest;
    const auto distance = [rows](double ratio) { return std::abs(std::log(ratio / rows)); };
    for (const auto& [name, before] : base) {
        const auto after = fresh.find(name);
        if (resource_of(name) != resource || after == fresh.end() || after->second.unit != before.unit)
            continue;
        const double ratio = after->second.cost / before.cost;
        if (!std::isfinite(ratio) || !(ratio > 0)) continue;
        if (!nearest || distance(ratio) < distance(nearest->ratio))
            nearest = Move{name, before, after->second, ratio};
    }
    return nearest;
}

double median_ratio(const std::vector<const ComparedRow*>& rows) {
    std::vector<double> ratios;
    for (const ComparedRow* row : rows)
        ratios.push_back(row->comparison.ratio);
    return median(ratios);
}

Cause cause_of(const std::string& experiment, const char* how, const std::string& resource,
               const std::optional<Move>& move, std::size_t bound,
               const std::vector<const ComparedRow*>& rows) {
    Cause cause{experiment, resource, "", how};
    cause.bound = bound;
    cause.median = median_ratio(rows);
    if (move) {
        cause.ceiling = move->ceiling;
        cause.base = move->base.value;
        cause.fresh = move->fresh.value;
        cause.unit = move->base.unit;
        cause.ratio = move->ratio;
    }
    for (const ComparedRow* row : rows)
        cause.rows.push_back(row->fresh->name);
    return cause;
}

/// The ceiling went the other way, and not by a little beside what the row did.
bool contradicted(double row, double ceiling) {
    return (row > 1) != (ceiling > 1) && std::abs(std::log(ceiling)) > std::abs(std::log(row)) / 2;
}

/// Steps by plain launches that have a comparable twin, and of these the ones that alone changed.
struct Launches {
    std::size_t twins = 0;
    std::vector<const ComparedRow*> changed;
};

/// `ceiling` is how many times as long a launch takes by itself, 1 if that is not known.
Launches launches_alone(const std::vector<ComparedRow>& rows, double ceiling) {
    std::map<std::string, const ComparedRow*> by_name;
    for (const ComparedRow& row : rows)
        by_name[row.fresh->name] = &row;
    Launches found;
    for (const ComparedRow& row : rows) {
        const std::string& name = row.fresh->name;
        if (!name.ends_with(launched) || !row.comparison.comparable() || !row.fresh->is_time()) continue;
        const std::string stem = name.substr(0, name.size() - launched.size());
        for (const char* series : {"/step/graph", "/kernel/hot"}) {
            const auto twin = by_name.find(stem + series);
            if (twin == by_name.end() || !twin->second->comparison.comparable()) continue;
            ++found.twins;
            if (row.comparison.resolved() && !twin->second->comparison.resolved() &&
                !contradicted(row.comparison.ratio, ceiling))
                found.changed.push_back(&row);
            break;
        }
    }
    return found;
}

}  // namespace

bool explains(double moved, double share, const Ratio& row) {
    if ((moved > 1) != (row.value > 1)) return false;
    const double part = 1 + std::min(share, 1.0) * (moved - 1);
    return row.interval.low / resolution <= std::max(part, moved) &&
           row.interval.high * resolution >= std::min(part, moved);
}

std::vector<Cause> find_causes(const std::string& experiment, const std::vector<ComparedRow>& rows,
                               const json& base_context, const json& fresh_context) {
    const auto before = ceilings_of(base_context), after = ceilings_of(fresh_context);
    std::map<std::string, std::vector<const ComparedRow*>> bound;  // by resource
    for (const ComparedRow& row : rows)
        if (row.comparison.comparable() && row.fresh->is_time())
            if (const auto by = bound_of(*row.base)) bound[resource_of(by->ceiling)].push_back(&row);
    std::vector<Cause> causes;
    for (const auto& [resource, all] : bound) {
        const auto move = move_of(resource, median_ratio(all), before, after);
        if (!move || !changed(move->ratio)) continue;
        std::vector<const ComparedRow*> explained;
        for (const ComparedRow* row : all) {
            const RowComparison& c = row->comparison;
            if (c.resolved() && explains(move->ratio, bound_of(*row->base)->share, {c.ratio, c.interval}))
                explained.push_back(row);
        }
        if (!explained.empty() && 2 * explained.size() >= all.size())
            causes.push_back(cause_of(experiment, "ceiling", resource, move, all.size(), explained));
    }
    const std::string resource = resource_of("gpu_launch");
    const auto move = move_of(resource, 1, before, after);
    const Launches alone = launches_alone(rows, move ? move->ratio : 1);
    if (!alone.changed.empty())
        causes.push_back(cause_of(experiment, "launches", resource, move, alone.twins, alone.changed));
    return causes;
}

std::string StudyAnswer::word() const {
    const auto direction = [](std::size_t faster, std::size_t slower) -> std::string {
        return faster > 0 && slower > 0 ? "both faster and slower" : faster > 0 ? "faster" : "slower";
    };
    if (faster + slower > 0) return direction(faster, slower);
    if (times > 0) return "no difference resolved";
    if (rough.faster + rough.slower > 0) return "roughly " + direction(rough.faster, rough.slower);
    if (rough.times > 0) return "no rough difference";
    return values > 0 ? "no difference resolved" : "not comparable";
}

StudyAnswer answer(const std::string& experiment, const std::vector<ComparedRow>& rows,
                   const json& base_context, const json& fresh_context) {
    StudyAnswer found{experiment};
    const std::string program = program_of(base_context);
    found.same_program = !program.empty() && program == program_of(fresh_context);
    std::vector<double> ratios, rough;
    for (const ComparedRow& row : rows) {
        const RowComparison& c = row.comparison;
        if (c.roughly_comparable() && row.fresh->is_time() && !row.fresh->clock.empty()) {
            ++found.rough.times;
            rough.push_back(c.ratio);
            if (c.rough()) ++(c.ratio < 1 ? found.rough.faster : found.rough.slower);
        }
        if (row.fresh->clock == "wall" && row.base->fit() && row.fresh->fit() && !row.margin)
            ++found.walls_without_margin;
        if (!c.comparable()) continue;
        if (!row.fresh->is_time()) {
            ++found.values;
            if (c.resolved()) ++found.differing;
            continue;
        }
        ++found.times;
        ratios.push_back(c.ratio);
        if (!c.resolved()) continue;
        ++(c.verdict == "faster" ? found.faster : found.slower);
        if (!found.fastest || c.ratio < found.fastest->ratio)
            found.fastest = Extreme{row.fresh->name, c.ratio};
        if (!found.slowest || c.ratio > found.slowest->ratio)
            found.slowest = Extreme{row.fresh->name, c.ratio};
    }
    if (!ratios.empty()) found.median = median(ratios);
    if (!rough.empty()) found.rough.median = median(rough);
    return found;
}

}  // namespace gridmark::harness
