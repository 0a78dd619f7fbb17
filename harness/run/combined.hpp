#pragma once

#include <functional>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/run/rows.hpp"

/// Rows whose value is not timed: computed by the study, or made from other rows.
namespace gridmark::harness {

/// Gives a row by its name; null when the run left it out.
using FindRow = std::function<const Row*(const std::string&)>;

/// Computes a value: its row, exact. A value that throws or is not finite has a row without a number, with
/// the reason. `gpu_lost` is set after an error that only a new process recovers from.
Row compute_row(const std::string& experiment, const Computed& computed, bool& gpu_lost);

/// The row of a difference. Samples are differences of the k-th samples of each process. The two rows were
/// sampled apart, so the spread of both is in them. Without two numbers it has none, for the first reason of
/// either.
Row difference_row(const std::string& experiment, const Difference& difference, const FindRow& find,
                   const Standards& standards);

/// The row of a derived value: a median alone, without samples and interval. Without all numbers it has none,
/// for the first reason of any; a value that throws or is not finite has a failed row.
Row derived_row(const std::string& experiment, const Derived& derived, const FindRow& find);

/// The derived values of a plan that saved rows lack and give a number for: a set may have been measured
/// before a value was thought of.
std::vector<Row> missing_derived_rows(const std::string& experiment, const Plan& plan,
                                      const std::vector<Row>& rows);

}  // namespace gridmark::harness
