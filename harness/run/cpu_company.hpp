#pragma once

#include <optional>
#include <vector>

#include "harness/expected.hpp"
#include "harness/os/control_groups.hpp"
#include "harness/run/company.hpp"

/// Who else takes the CPUs that rows are measured on.
namespace gridmark::harness {

/// What CPUs have done so far, in ticks of the system's clock.
struct CpuTicks {
    double all = 0;      ///< of these CPUs
    double working = 0;  ///< of that: for any program of this system, or the system itself
    double own = 0;      ///< of that: for our processes
    double slack = 0;    ///< by which rounding may make the difference of two such readings wrong
};

/// Of these CPUs. Ours is process `root` with all that it started, and what MPI started for it. A tick counts
/// whole for one program, and each process's are rounded down.
Expected<CpuTicks> read_cpu_ticks(const SystemFiles& files, const std::vector<int>& cpus, int root);

/// The share of the CPU time that others took in between: 0 to 1.
Expected<double> share_of_others(const Expected<CpuTicks>& before, const Expected<CpuTicks>& after);

/// Seconds in which a program waited for a CPU since the system's start: of the line "some ... total=..." of
/// /proc/pressure/cpu.
std::optional<double> seconds_waited(const SystemFiles& files);

/// Of rows by the wall clock: other programs, a control group's quota that was used up or that is too small.
/// Where the system hides what CPUs do, the time in which programs waited for one tells of other programs.
std::vector<Witness> cpu_witnesses(const SystemFiles& files, const std::vector<int>& cpus, int root);

}  // namespace gridmark::harness
