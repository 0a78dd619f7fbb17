#include "harness/compare/margins.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "harness/compare/compare.hpp"
#include "harness/compare/machines.hpp"
#include "harness/statistics/statistics.hpp"

namespace gridmark::harness {
namespace {

/// Sets whose times may be put together.
struct EqualRuns {
    std::set<std::filesystem::path> folders;
    std::map<std::string, std::vector<double>> medians;  // by row
};

}  // namespace

Margins::Margins(const std::vector<const ResultSet*>& sets) {
    // By kind of machine, program and experiment.
    std::map<std::tuple<std::string, std::string, std::string>, EqualRuns> groups;
    for (const ResultSet* set : sets)
        for (const auto& [experiment, file] : set->files) {
            const std::string kind = cpu_kind(file.context), program = program_of(file.context);
            if (kind.empty() || program.empty()) continue;
            EqualRuns& group = groups[{kind, program, experiment}];
            std::error_code unreadable;  // then the folder as it was given
            if (!group.folders.insert(std::filesystem::weakly_canonical(set->directory, unreadable)).second)
                continue;
            for (const Row& row : file.rows)
                if (row.clock == "wall" && row.fit() && enough_processes(row) && *row.median > 0)
                    group.medians[row.name].push_back(*row.median);
        }
    for (const auto& [key, group] : groups) {
        most_sets_ = std::max(most_sets_, group.folders.size());
        for (const auto& [name, medians] : group.medians) {
            if (medians.size() < margin_runs) continue;
            const double margin = std::max(resolution, run_margin(medians));
            if (!std::isfinite(margin)) continue;
            double& known = margins_[{std::get<0>(key), name}];
            known = std::max(known, margin);
        }
    }
}

std::optional<double> Margins::of(const Row& row, const nlohmann::json& context) const {
    const auto found = margins_.find({cpu_kind(context), row.name});
    return found == margins_.end() ? std::nullopt : std::optional(found->second);
}

}  // namespace gridmark::harness
