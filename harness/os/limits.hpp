#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "harness/expected.hpp"
#include "harness/os/control_groups.hpp"

/// How many CPUs and how much memory this process may use. Everything that asks, asks here.
namespace gridmark::harness {

/// The CPUs that this process may run on, ascending: also where OpenMP has bound the calling thread to some
/// of them (OMP_PROC_BIND). A cpuset is in it: the system keeps a process to its group's.
Expected<std::vector<int>> read_affinity();

/// OpenMP threads that a parallel region here has.
struct Threads {
    int threads = 1;
    std::string remark = {};  ///< why these are fewer than were wanted; empty where they are not
};

/// Starts `wanted` threads (0: as many as OpenMP would, but no more than there are CPUs to use) and counts
/// those that come. From then on OpenMP adjusts no region's threads (OMP_DYNAMIC), and 0 makes them those of
/// regions that ask for no number.
Threads start_threads(int wanted);

/// The CPU time a second that control groups grant this process, in CPUs; no value where none limits it.
Expected<double> cpu_quota(const SystemFiles& files = {});

/// How often, and for how many seconds, groups had used up what is granted and had to wait, so far.
struct Throttled {
    double times = 0, seconds = 0;
};
Throttled read_throttled(const SystemFiles& files = {});

/// The bytes that a line such as "MemAvailable:   123 kB" of /proc/meminfo states.
Expected<std::int64_t> parse_meminfo(std::string_view text, std::string_view key);

/// Bytes that can still be allocated without swapping: the least that the system, any control group above
/// this process and its own limit (ulimit -v) leave. What is not known is no limit; nothing known is unknown.
Expected<std::int64_t> available_memory(const SystemFiles& files);
/// Here.
Expected<std::int64_t> read_available_memory();

}  // namespace gridmark::harness
