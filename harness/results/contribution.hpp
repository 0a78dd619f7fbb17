#pragma once

#include <set>
#include <string>
#include <vector>

#include "harness/results/result_file.hpp"

namespace gridmark::harness {

/// What keeps a folder of results from standing beside the others, a line each, naming file and reason; empty
/// when nothing does. It must hold every one of `experiments`, each whole: preset paper or full, three
/// processes a number, no failed row, measured by a release build of a commit without changes of its own; all
/// of one machine; and none of `private_words` (host and user name) anywhere, nor the path of somebody's
/// home. Of its rows with a limit at most one in twenty may beat it.
std::vector<std::string> shortcomings(const ResultSet& set, const std::set<std::string>& experiments,
                                      const std::vector<std::string>& private_words);

}  // namespace gridmark::harness
