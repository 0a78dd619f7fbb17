#pragma once

#include "harness/results/row.hpp"

/// How far a repeat lies off: what an interval stands for. A run of three processes on one machine shows what
/// processes differ by, and not what machines do.
namespace gridmark::harness {

/// An interval is made to hold the median of a repeat on another machine of the model in so many cases.
constexpr double confidence = 0.9;

/// Times that differ alike from machine to machine. Those of a GPU that another host might decide, by its
/// launches or by the link, are a kind of their own; `difference` is of two times, `other` no time.
enum class TimeKind { kernel, step, step_by_host, difference, wall, other };
TimeKind time_kind(const Row& row);

/// What the medians of two machines of one model differ by where the processes of neither show it, as a
/// logarithm. Fitted on the H200 sets of results/repeats and tried on those of the H100, by `make resolution`
/// (docs/reliability.md).
double machine_reach(TimeKind kind);
/// That of a row; 0 where it has no samples.
double machine_reach(const Row& row);

/// What the difference of two times differs by from machine to machine, in their unit: by what each does.
double machines_of_difference(const Row& minuend, const Row& subtrahend);

/// How far the median of a repeat on another machine of the model lies off, either way, as a logarithm: what
/// the row's processes say (reach_of_a_process()), and machine_reach() at least.
double repeat_reach(const Row& row);

}  // namespace gridmark::harness
