#pragma once

#include <string>
#include <vector>

#include "harness/experiment.hpp"
#include "harness/gpu/kernel_clock.hpp"
#include "harness/run/prepared.hpp"

namespace gridmark::harness {

/// When a GPU did one kind of work.
struct Busy {
    /// [begin, end] in microseconds from the begin of the first record of any kind, in order of begin.
    /// Kernels that follow each other in a stream within 20 us, with no copy of the stream between them,
    /// share a span; spans of different streams may overlap.
    std::vector<Interval> spans;
    /// Microseconds in which at least one record ran: overlaps count once, gaps within a span not at all.
    double total = 0;
};

/// When a GPU copied up, computed and copied down.
struct Timetable {
    Busy upload, kernels, download;
};

/// Sorts records into a timetable.
Timetable timetable_of(const Activities& activities);

/// The rows of a timeline from what was recorded in its pass: the time that the GPU was busy with each
/// activity and the spans of it, in microseconds. Throws std::runtime_error when nothing was recorded.
std::vector<Row> timeline_rows(const std::string& experiment, const Timeline& timeline,
                               const Activities& recorded);

/// Verifies the variant, runs a pass to warm up and records another: the rows of the timeline. Without a
/// right answer or a recording they hold no number but the reason. `gpu_lost` is set after an error that only
/// a new process recovers from.
std::vector<Row> measure_timeline(const std::string& experiment, const Timeline& timeline, bool& gpu_lost);

}  // namespace gridmark::harness
