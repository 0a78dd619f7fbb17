#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/compare/margins.hpp"
#include "harness/results/result_file.hpp"

/// The fastest verified version of a study: of one set of results, or of two at a problem that both have.
namespace gridmark::harness {

/// Times that can be compared, and how.
struct Race {
    std::string problem;                    ///< in words
    bool headline = true;                   ///< it is the one that the study compares machines by
    nlohmann::json by;                      ///< keys that tell versions apart
    bool per_operation = false;             ///< the problems differ in size
    std::vector<std::vector<Row>> rows;     ///< by set, of those that each set has tried; none is empty
    std::vector<std::optional<Row>> alone;  ///< by set: what another one has not tried and no version beats

    /// What the fastest version has least of: its time, or that for each operation.
    double cost(const Row& row) const;
    /// The best row of each version in that set, the fastest first.
    std::vector<Row> fastest(std::size_t set = 0) const;
};

/// One rule, of any number of sets. It is the problem that the study compares machines by (study.json,
/// `hardware`), where every set has measured it. Else it is the largest one, by operations, that all of them
/// have and that differs from it in numbers alone, such as its size. Else all problems count, by time for
/// each operation. None: a set has no time. A row whose verification could not have failed does not count,
/// nor a disturbed one, nor one that a set has not tried, be it another version or the same at another
/// height: that would be no comparison of machines. The race names it.
std::optional<Race> race_of(const nlohmann::json& study, const std::vector<const std::vector<Row>*>& sets);

/// The fastest version of a study in one file: {"experiment", "problem", "headline", "new"}; null where none
/// was measured.
nlohmann::json fastest_of(const std::string& experiment, const nlohmann::json& study, const ResultFile& file);
/// The same of two files, with "base", and the comparison: "ratio", "interval", "verdict", "reason"; "alone":
/// the version of either side that beats those and that the other side has not tried, or null.
nlohmann::json fastest_of_two(const std::string& experiment, const nlohmann::json& study,
                              const ResultFile& base, const ResultFile& fresh, const Margins& margins);

}  // namespace gridmark::harness
