#pragma once

#include <string>

/// What goes wrong, and where: GRIDMARK_FAULTS holds WHERE:WHEN:WHAT, separated by commas. WHERE is the last
/// part of a point's name, WHEN a moment of its life: prepare, verify, warm, sample1, sample2, ... (samples3
/// and later are possible, and the passes that read counters follow). An environment variable and no --set: a
/// run goes on with the file of one that had a fault.
namespace gridmark::faulty {

/// Whether `what` shall happen here and now.
bool armed(const std::string& where, const std::string& when, const std::string& what);

/// Does what shall happen here and now: a crash, a hang, an exception ...; nothing if nothing shall, or if
/// what shall is not among what a CPU can do.
void fault_here(const std::string& where, const std::string& when);

}  // namespace gridmark::faulty
