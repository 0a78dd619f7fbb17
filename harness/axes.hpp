#pragma once

#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "harness/results/row.hpp"

/// Sizes and settings of the user's own: `run --axis KEY=V1,V2|FIRST:LAST:*2 --variant V1,V2`.
namespace gridmark::harness {

struct Experiment;
struct Plan;
struct PlanContext;
struct Point;
struct Variant;

/// A value of each setting, by key.
using AxisValues = std::map<std::string, std::string>;

/// The values of one setting, in the order in which they are measured.
struct Axis {
    std::string key;
    std::vector<std::string> values;
};

/// What takes the place of a preset's plan: every variant at every combination of the axes' values.
struct Axes {
    std::vector<Axis> axes;
    std::vector<std::string> variants;  ///< empty: all that the study has

    bool given() const { return !axes.empty() || !variants.empty(); }
    /// "nx=4096,8192 precision=float gpu_rows,gpu_blocked_8"; empty where none are given.
    std::string text() const;
};

/// Combination `index` of the axes' values; the last axis varies fastest.
AxisValues combination(const std::vector<Axis>& axes, std::size_t index);
/// How many there are; as a double, which does not overflow.
double combinations_of(const std::vector<Axis>& axes);

/// Most combinations of values and variants that one run takes.
inline constexpr std::size_t most_combinations = 10'000;

/// The axes of words like "nx=512,1000", "nx=4096:65536:*2" and "threads=1:16:+1", and the variants of words
/// like "gpu_rows,gpu_blocked_8". A range is of whole numbers and holds its last one only if it meets it.
/// Throws UsageError for other words, a key or a value that is named twice, and too long a range.
Axes parse_axes(const std::vector<std::string>& axes, const std::vector<std::string>& variants);

/// The axes that make a row again: its parameters that are keys of axes, a value each.
Axes axes_of(const Row& row, const Experiment& experiment);

/// Refuses a variant or a key that the study does not have, and more than most_combinations. Throws
/// UsageError, which lists what there is.
void check_axes(const Experiment& experiment, const Axes& axes);

/// The points of a variant at these values of axes. Throws as Experiment::points does.
std::vector<Point> points_at(const Experiment& experiment, const PlanContext& context, const Variant& variant,
                             const AxisValues& values);

/// The plan of these axes. What a variant cannot do at a combination is a point that says why. A variant
/// that has no use for an axis has one point for all of its values. Points of one combination are a group as
/// far as their memory allows. Throws UsageError for a value that is none of its key's.
Plan axes_plan(const Experiment& experiment, const PlanContext& context);

nlohmann::json to_json(const Axes& axes);
Axes axes_from_json(const nlohmann::json& document);

}  // namespace gridmark::harness
