#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/model/machine.hpp"

namespace gridmark::harness {

/// How long a step would take if one thing alone bound it.
struct Term {
    std::string ceiling;
    double microseconds;
    /// Operations that each need the one before; the ceiling is then the one that they wait for most.
    bool is_chain = false;
};

/// What the model says of a point by one clock, in microseconds a step.
struct Prediction {
    double time = 0;
    std::vector<Term> terms = {};  ///< the largest first; the first binds
    /// Names of ceilings that the machine lacks, whose terms are left out.
    std::vector<std::string> missing = {};

    const Term& binding() const { return terms.front(); }
};

/// The time of a step: each kernel takes as long as the largest of what it moves, issues and computes at the
/// rates of the machine's ceilings, or as its longest chain of dependent operations, times the waves of
/// blocks that the chip holds; and an empty kernel's time more. No constant is fitted to a row. None where
/// the machine lacks every ceiling that could bound it, its chip cannot hold what the point keeps there, or
/// the point declares no kernels (of one that streams data the link alone counts then). `resident`: blocks on
/// a multiprocessor, as a row says; none: as many as threads and shared memory allow.
std::optional<Prediction> predict(const Point& point, const Series& series, const MachineLimits& machine,
                                  std::optional<int> resident = std::nullopt);

}  // namespace gridmark::harness
