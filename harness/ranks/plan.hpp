#pragma once

#include <memory>
#include <string>

#include "harness/experiment.hpp"
#include "harness/ranks/job.hpp"
#include "harness/ranks/ranked.hpp"
#include "harness/stepper.hpp"

namespace gridmark::harness {

/// The names of variants that ranks run: the study's step on the CPU, and on a GPU each.
inline constexpr const char *ranks_cpu = "ranks_cpu", *ranks_gpu = "ranks_gpu";

/// Every number of ranks at every combination of the study's axes and of these: scaling (strong, weak),
/// steps_per_exchange, cut, threads (of a rank). Of each the whole step; where there are several ranks also
/// the step without its exchange and the exchange alone, and what follows: efficiency against the fewest
/// ranks, and the parts of the exchange that show and that are hidden. Points of one number of ranks and one
/// grid are a group, and one start of the launcher. Throws UsageError.
Plan ranks_plan(const Experiment& experiment, const PlanContext& context);

/// Refuses what cannot be cut among ranks: a study, a number of ranks, an axis, a launcher. Throws
/// UsageError.
void check_ranks(const Experiment& experiment, const PlanContext& context);

/// `solve --ranks`: a field that ranks step, from the study's start; what start() is given is not used. Its
/// answer is one component after the other, each with the grid's axis 0 fastest. `set` holds the study's own
/// settings, `settings` also `cut` and `steps_per_exchange`. Throws UsageError, RankError.
template <class T>
std::unique_ptr<Stepper<T>> ranked_stepper(const SolveRequest& request, const std::string& study,
                                           const RankedStudy& ranked,
                                           const std::map<std::string, std::string>& set,
                                           const Settings& settings, std::uint64_t seed);

}  // namespace gridmark::harness
