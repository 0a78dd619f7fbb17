#include <algorithm>
#include <cmath>
#include <set>

#include "harness/compare/compare.hpp"
#include "harness/compare/machines.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

constexpr std::size_t fewest_machines = 4;  // three others have a spread
constexpr std::size_t fewest_rows = 3;
constexpr double alone = 1.03;  // what a ceiling must differ by where no rows tell the same

/// What sets have in common, as a time or a cost, by the place of the set.
using Values = std::map<std::size_t, double>;

/// A resource of machines of one model.
struct Resource {
    std::map<std::string, Values> ceilings, rows;
};

/// Those that some row of the sets is bound by, or that have a ceiling; of the GPU and its link alone.
std::map<std::string, Resource> resources_of(const std::vector<const ResultSet*>& sets,
                                             const std::vector<std::size_t>& group,
                                             const std::string& experiment) {
    std::map<std::string, Resource> found;
    const auto of_gpu = [](const std::string& ceiling) {
        // What is pageable or on the CPU depends on who else uses the host.
        return !ceiling.starts_with("cpu_") && !ceiling.ends_with("_pageable");
    };
    for (const std::size_t place : group) {
        const ResultFile& file = sets[place]->files.at(experiment);
        for (const auto& [name, ceiling] : ceilings_of(file.context))
            if (of_gpu(name)) found[resource_of(name)].ceilings[name][place] = ceiling.cost;
        for (const Row& row : file.rows)
            if (is_bound(row) && of_gpu(row.limit->ceiling) && row.is_time() && *row.median > 0)
                found[resource_of(row.limit->ceiling)].rows[row.name][place] = *row.median;
    }
    return found;
}

/// What tells most that a set is slower, and how many tell it.
struct Witnesses {
    std::size_t count = 0, telling = 0;
    std::string name;
    double ratio = 1;
};

/// Of what enough sets have.
Witnesses witnesses(const std::map<std::string, Values>& all, std::size_t place, double least) {
    Witnesses found;
    for (const auto& [name, values] : all) {
        const auto own = values.find(place);
        if (own == values.end() || values.size() < fewest_machines) continue;
        ++found.count;
        std::vector<double> plain;
        for (const auto& [set, value] : values)
            plain.push_back(value);
        const auto [ratio, spread] =
            leave_one_out(plain).at(static_cast<std::size_t>(std::distance(values.begin(), own)));
        if (!(ratio > least * std::pow(spread, 3)) || !std::isfinite(ratio)) continue;
        ++found.telling;
        if (ratio > found.ratio) found.ratio = ratio, found.name = name;
    }
    return found;
}

std::optional<Straggler> judged(const Resource& resource, std::size_t place) {
    const Witnesses rows = witnesses(resource.rows, place, resolution);
    const bool enough = rows.count >= fewest_rows;
    const Witnesses ceilings = witnesses(resource.ceilings, place, enough ? resolution : alone);
    if (enough ? 2 * rows.telling < rows.count : ceilings.telling == 0) return std::nullopt;
    Straggler slow;
    slow.bound = rows.count;
    slow.slower = rows.telling;
    if (rows.telling > 0) slow.row = rows.name, slow.row_ratio = rows.ratio;
    if (ceilings.telling > 0) slow.ceiling = ceilings.name, slow.ceiling_ratio = ceilings.ratio;
    return slow;
}

}  // namespace

std::vector<Straggler> stragglers(const std::vector<const ResultSet*>& sets) {
    // By experiment and model: the sets that have them.
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> groups;
    for (std::size_t place = 0; place < sets.size(); ++place)
        for (const auto& [experiment, file] : sets[place]->files)
            if (const std::string model = context_text(file.context, "/gpu/name"); !model.empty())
                groups[{experiment, model}].push_back(place);
    std::vector<Straggler> slow;
    for (const auto& [key, group] : groups) {
        if (group.size() < fewest_machines) continue;
        const std::string& experiment = key.first;
        for (const auto& [name, resource] : resources_of(sets, group, experiment))
            for (const std::size_t place : group)
                if (auto found = judged(resource, place)) {
                    found->set = place;
                    found->experiment = experiment;
                    found->resource = name;
                    found->machines = group.size();
                    slow.push_back(std::move(*found));
                }
    }
    return slow;
}

}  // namespace gridmark::harness
