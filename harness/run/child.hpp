#pragma once

namespace gridmark::harness {

/// The whole life of a child process: reads a job from standard input, does it, reports on
/// `event_descriptor`. Returns the exit code: 0, or `exit_gpu_lost` after a GPU error that only a new process
/// recovers from.
int run_child();

constexpr int exit_gpu_lost = 70;

}  // namespace gridmark::harness
