#pragma once

#include <array>
#include <vector>

#include "harness/gpu/kernel_clock.hpp"

namespace gridmark::harness {

/// When a GPU did one kind of work.
struct Busy {
    /// [begin, end] in microseconds from the begin of the first record of any kind, in order of begin.
    /// Kernels that follow each other in a stream within 20 us, with no copy of the stream between them,
    /// share a span; spans of different streams may overlap.
    std::vector<std::array<double, 2>> spans;
    /// Microseconds in which at least one record ran: overlaps count once, gaps within a span not at all.
    double total = 0;
};

/// When a GPU copied up, computed and copied down.
struct Timetable {
    Busy upload, kernels, download;
};

/// Sorts records into a timetable.
Timetable timetable_of(const Activities& activities);

}  // namespace gridmark::harness
