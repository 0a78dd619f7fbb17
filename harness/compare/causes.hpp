#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/compare/compare.hpp"

/// What a comparison of two sets says: by study, and what the machine and not the kernel caused.
namespace gridmark::harness {

/// Whether a ceiling that takes `moved` times as long explains the ratio of a row of which it makes up
/// `share`: both go the same way, and the row's interval, widened by the resolution, meets the range from
/// "only that share became slower" to "the whole row did".
bool explains(double moved, double share, const Ratio& row);

/// Part of a machine that made rows faster or slower.
struct Cause {
    std::string experiment;
    std::string resource;  ///< in words (resource_of())
    std::string ceiling;   ///< the ceiling that tells it; empty where neither set has it
    std::string how;  ///< "ceiling": it moved as much as its rows; "launches": only launched steps changed
    double base = 0, fresh = 0;  ///< the ceiling's values, in `unit`
    std::string unit = {};
    double ratio = 1;       ///< how many times as long it takes
    std::size_t bound = 0;  ///< comparable rows that it bounds; of launches, that have another series
    double median = 1;      ///< of the ratios of `rows`
    std::vector<std::string> rows = {};  ///< the names of those that it explains
};

/// Two signs. A ceiling moved by more than 2 %, and at least half of the comparable rows that it bounds
/// changed as much as it (explains()). Or steps by plain launches (".../step/stream") changed while the same
/// kernels by graph, or by their own clock, did not, nor did the ceiling go the other way: launching is the
/// host's. `rows` are those of one experiment.
std::vector<Cause> find_causes(const std::string& experiment, const std::vector<ComparedRow>& rows,
                               const nlohmann::json& base_context, const nlohmann::json& fresh_context);

/// A row's name and its ratio.
struct Extreme {
    std::string name;
    double ratio;
};

/// What happened to a study.
struct StudyAnswer {
    std::string experiment;
    bool same_program = false;
    std::size_t times = 0, faster = 0, slower = 0;      ///< comparable times, and those that differ
    std::optional<double> median = {};                  ///< of the ratios of all comparable times
    std::optional<Extreme> fastest = {}, slowest = {};  ///< of those that differ
    std::size_t values = 0, differing = 0;  ///< other quantities: comparable ones, and those that differ
    /// Times of a GPU's clocks with too few processes for more than a rough difference.
    struct Rough {
        std::size_t times = 0, faster = 0, slower = 0;
        std::optional<double> median = {};  ///< of all their ratios
    } rough = {};
    std::size_t walls_without_margin = 0;  ///< wall-clock rows that lack the margin between runs

    /// In plain words: "slower", "faster", "both faster and slower", "no difference resolved" (which is
    /// not "the same speed"), the first three with "roughly" before them where no more can be said, "no rough
    /// difference", or "not comparable".
    std::string word() const;
};
StudyAnswer answer(const std::string& experiment, const std::vector<ComparedRow>& rows,
                   const nlohmann::json& base_context, const nlohmann::json& fresh_context);

}  // namespace gridmark::harness
