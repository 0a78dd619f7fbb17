#pragma once

#include <string>

#include "harness/experiment.hpp"

namespace gridmark::ginzburg_landau {

/// Kernel launches a step of n pairs in blocks of `block` threads, counted by the host executor while it
/// takes some: the same code launches on a GPU.
double counted_launches(const std::string& variant, int n, int block);

/// How often all blocks meet in a launch of as many steps as the version makes: its end, and what the flags
/// of its own barriers count when the host executor runs it.
double counted_synchronisations(const std::string& variant, int n, int block);

/// Segments of 128 bytes that a read of the state by 16 threads in turn touches, the mean over all such reads
/// of gpu_overlap8_listing in double. Both halves of a state begin at a segment.
double segments_of_a_read(int n, int block);

/// Rows of these counts.
void add_counts(harness::Plan& plan, int n, int block);

}  // namespace gridmark::ginzburg_landau
