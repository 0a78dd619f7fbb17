#pragma once

#include <string_view>

#include "harness/expected.hpp"

// A virtual machine's CPUs do not run whenever they have something to do: its host gives them to others.
namespace gridmark::harness {

/// Time of all CPUs so far, in ticks of the system's clock.
struct CpuTime {
    double wanted = 0;  ///< in which they had something to do
    double stolen = 0;  ///< of that: in which the host had given them to others
};

/// From the text of /proc/stat.
Expected<CpuTime> parse_cpu_time(std::string_view text);
Expected<CpuTime> read_cpu_time();

/// The share that was stolen in between: 0 to 1.
Expected<double> stolen_share(const Expected<CpuTime>& before, const Expected<CpuTime>& after);

}  // namespace gridmark::harness
