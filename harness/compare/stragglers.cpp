#include <algorithm>
#include <cmath>
#include <tuple>

#include "harness/compare/compare.hpp"
#include "harness/compare/machines.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

constexpr std::size_t fewest_machines = 4;  // three others have a spread
constexpr std::size_t fewest_rows = 3;
constexpr double alone = 1.03;  // what a ceiling must differ by where no rows tell the same

/// Equal machines that measured one experiment.
struct Machines {
    std::string experiment;
    bool by_cpu = false;  ///< nodes without a GPU: told apart by their CPU's resources
    std::vector<std::size_t> sets;

    std::size_t fewest() const { return by_cpu ? margin_runs + 1 : fewest_machines; }
};

std::vector<Machines> equal_machines(const std::vector<const ResultSet*>& sets) {
    std::map<std::tuple<std::string, std::string, std::string>, Machines> found;
    for (std::size_t place = 0; place < sets.size(); ++place)
        for (const auto& [experiment, file] : sets[place]->files) {
            const std::string gpu = context_text(file.context, "/gpu/name");
            // Runs without a GPU may be any number of times one machine, but for nodes that a scheduler
            // names.
            const bool by_cpu = gpu.empty() && !context_text(file.context, "/scheduler/node").empty();
            const std::string model = by_cpu ? cpu_kind(file.context) : gpu;
            if (model.empty()) continue;
            Machines& group = found[{experiment, model, by_cpu ? program_of(file.context) : ""}];
            group.experiment = experiment;
            group.by_cpu = by_cpu;
            group.sets.push_back(place);
        }
    std::vector<Machines> groups;
    for (auto& [key, group] : found)
        if (group.sets.size() >= group.fewest()) groups.push_back(std::move(group));
    return groups;
}

/// What sets have in common, as a time or a cost, by the place of the set.
using Values = std::map<std::size_t, double>;

/// A resource of machines of one model.
struct Resource {
    std::map<std::string, Values> ceilings, rows;
};

/// Those that some row is bound by, or that have a ceiling; of the GPU and its link alone, or of the CPU
/// where the nodes have no other. Where a row is bound in most sets and enough of them, it counts in the
/// others as well: in the set of a slow machine it may be far from its ceiling.
std::map<std::string, Resource> resources_of(const std::vector<const ResultSet*>& sets,
                                             const Machines& group) {
    std::map<std::string, Resource> found;
    const auto counts = [&](const std::string& ceiling) {
        const bool cpu = ceiling.starts_with("cpu_");
        // What is pageable or on the CPU depends on who else uses the host.
        return group.by_cpu ? cpu : !cpu && !ceiling.ends_with("_pageable");
    };
    struct Track {
        Values times;
        std::map<std::string, Values> bound;  // by resource: where it is bound
    };
    std::map<std::string, Track> tracks;
    for (const std::size_t place : group.sets) {
        const ResultFile& file = sets[place]->files.at(group.experiment);
        for (const auto& [name, ceiling] : ceilings_of(file.context))
            if (counts(name)) found[resource_of(name)].ceilings[name][place] = ceiling.cost;
        for (const Row& row : file.rows) {
            if (!row.fit() || !row.is_time() || *row.median <= 0) continue;
            if (group.by_cpu && !enough_processes(row)) continue;
            Track& track = tracks[row.name];
            track.times[place] = *row.median;
            if (const auto bound = bound_of(row); bound && counts(bound->ceiling))
                track.bound[resource_of(bound->ceiling)][place] = *row.median;
        }
    }
    const std::size_t enough = group.by_cpu ? margin_runs : fewest_machines;
    for (const auto& [name, track] : tracks)
        for (const auto& [resource, times] : track.bound) {
            const bool mostly = times.size() >= enough && 2 * times.size() > track.times.size();
            found[resource].rows[name] = mostly ? track.times : times;
        }
    return found;
}

/// What tells most of a set, and how many tell that it is slower.
struct Witnesses {
    std::size_t count = 0, telling = 0;
    std::string name;  ///< of the greatest ratio, and it; of those that tell where some do
    double ratio = 0;
    std::vector<double> ratios = {};
};

/// How one of the values stands beside the others, and what it must exceed to be slower.
std::pair<double, double> held_against_others(const Values& values, std::size_t place, const Machines& group,
                                              double least) {
    std::vector<double> others;
    for (const auto& [set, value] : values)
        if (set != place) others.push_back(value);
    if (group.by_cpu) return {values.at(place) / median(others), std::max(least, run_margin(others))};
    others.push_back(values.at(place));
    const auto [ratio, spread] = leave_one_out(others).back();
    return {ratio, least * std::pow(spread, 3)};
}

/// Of what enough sets have.
Witnesses witnesses(const std::map<std::string, Values>& all, std::size_t place, const Machines& group,
                    double least) {
    Witnesses found;
    for (const auto& [name, values] : all) {
        if (!values.contains(place) || values.size() < group.fewest()) continue;
        const auto [ratio, limit] = held_against_others(values, place, group, least);
        ++found.count;
        if (!std::isfinite(ratio)) continue;
        found.ratios.push_back(ratio);
        const bool tells = ratio > limit;
        // The first that tells takes the place of those that do not.
        if (tells && found.telling++ == 0) found.ratio = 0;
        if ((tells || found.telling == 0) && ratio > found.ratio) found.ratio = ratio, found.name = name;
    }
    return found;
}

/// Where a set stands at one resource, and what names it as slow if it is.
struct Judged {
    std::optional<Standing> standing;
    std::optional<Straggler> slow;
};

Judged judged(const Resource& resource, std::size_t place, const Machines& group) {
    Judged found;
    const Witnesses rows = witnesses(resource.rows, place, group, resolution);
    const bool enough = rows.count >= fewest_rows;
    const Witnesses ceilings = witnesses(resource.ceilings, place, group, enough ? resolution : alone);
    if (enough ? 2 * rows.telling >= rows.count : ceilings.telling > 0) {
        Straggler& slow = found.slow.emplace();
        slow.bound = rows.count;
        slow.slower = rows.telling;
        if (rows.telling > 0) slow.row = rows.name, slow.row_ratio = rows.ratio;
        if (ceilings.telling > 0) slow.ceiling = ceilings.name, slow.ceiling_ratio = ceilings.ratio;
    }
    if (!enough && ceilings.count == 0) return found;
    Standing& standing = found.standing.emplace();
    standing.by = enough ? rows.name : ceilings.name;
    standing.ratio = enough ? median(rows.ratios) : ceilings.ratio;
    standing.slow = found.slow.has_value();
    return found;
}

/// Calls `take` with every set of every group at every resource.
template <class Take>
void judge_all(const std::vector<const ResultSet*>& sets, const Take& take) {
    for (const Machines& group : equal_machines(sets))
        for (const auto& [name, resource] : resources_of(sets, group))
            for (const std::size_t place : group.sets)
                take(group, name, place, judged(resource, place, group));
}

}  // namespace

std::vector<Straggler> stragglers(const std::vector<const ResultSet*>& sets) {
    std::vector<Straggler> slow;
    judge_all(sets, [&](const Machines& group, const std::string& resource, std::size_t place, Judged found) {
        if (!found.slow) return;
        found.slow->set = place;
        found.slow->experiment = group.experiment;
        found.slow->resource = resource;
        found.slow->machines = group.sets.size();
        slow.push_back(std::move(*found.slow));
    });
    return slow;
}

std::vector<Standing> ranking(const std::vector<const ResultSet*>& sets) {
    const auto key = [](const Standing& one) { return std::tuple(one.slow, one.ratio); };
    std::map<std::size_t, Standing> slowest;  // by set
    judge_all(sets, [&](const Machines& group, const std::string& resource, std::size_t place, Judged found) {
        if (!found.standing) return;
        Standing& standing = *found.standing;
        standing.set = place;
        standing.experiment = group.experiment;
        standing.resource = resource;
        standing.machines = group.sets.size();
        const auto [known, is_new] = slowest.try_emplace(place, standing);
        if (!is_new && key(standing) > key(known->second)) known->second = standing;
    });
    std::vector<Standing> order;
    for (auto& [place, standing] : slowest)
        order.push_back(std::move(standing));
    std::ranges::stable_sort(order, [&](const Standing& a, const Standing& b) { return key(a) > key(b); });
    return order;
}

}  // namespace gridmark::harness
