#pragma once

#include "experiments/maxwell/described.hpp"
#include "harness/fields/solution.hpp"

namespace gridmark::maxwell {

/// Runs the steps of a solve and records on the way, in the result file: /points/ex ... hz [steps][k] after
/// every step, /points/ct [steps] and /points/index [k][3]; /moments/ex ... hz [j][nx + 1][ny + 1][nz + 1],
/// /moments/ct and /moments/step [j]. Each value is that at the node's index, so that a staggered component
/// lies half a cell before it. Without a recorder it only runs.
template <class T>
void run_and_record(const Described& described, Solver<T>& solver, harness::Recorder* recorder);

/// The names of the components: "ex" ... "hz".
extern const char* const component_names[components];

/// A component's whole array, tight.
template <class T>
std::vector<T> whole_field(const Grid& grid, Solver<T>& solver, int component);

}  // namespace gridmark::maxwell
