#pragma once

#include <string>

#include "harness/experiment.hpp"

/// The CPU threads of a point.
namespace gridmark::harness {

struct Team {
    std::string name;  ///< "one", "all", "some", or a study's own word
    int threads;
};

/// As many threads as the axis `threads` says; all that may be used where it says nothing.
Team team_of(const PlanContext& context, const Settings& settings);

/// Puts them into the point's name, "one_thread", "all_threads", "6_threads" of some, and its parameters.
/// More than may be used here are a reason why the point cannot run.
void add_team(Point& point, const PlanContext& context, const Team& team);

}  // namespace gridmark::harness
