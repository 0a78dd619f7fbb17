#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/results/result_file.hpp"

namespace gridmark::harness {

/// How far the wall times of a kind of machine differ from run to run: of every row that at least five sets
/// of one program on one kind of machine have, each from at least three processes (run_margin()). A set that
/// is given twice counts once.
class Margins {
  public:
    Margins() = default;
    explicit Margins(const std::vector<const ResultSet*>& sets);

    /// The margin for a row that was measured with that context, at least `resolution`; none: too few sets.
    /// Of several programs' the largest.
    std::optional<double> of(const Row& row, const nlohmann::json& context) const;

    /// How many sets of one program and kind of machine there are at most.
    std::size_t most_sets() const { return most_sets_; }

  private:
    std::map<std::pair<std::string, std::string>, double> margins_;  // by kind of machine and row
    std::size_t most_sets_ = 0;
};

}  // namespace gridmark::harness
