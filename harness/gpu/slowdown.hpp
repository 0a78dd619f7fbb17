#pragma once

#include <map>
#include <string>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// Seconds in which a GPU's clocks were held down, by cause (the names of name_clock_limits()).
using SlowedSeconds = std::map<std::string, double>;

/// Since the driver was loaded: its own counters, which step every 100 ms. Unknown where it counts no thermal
/// slow-down. Takes a millisecond: to be read before and after a group of rows, never beside them.
Expected<SlowedSeconds> read_slowed_seconds(const std::string& pci_bus_id);

/// What came to each cause in between. One that either reading lacks is left out.
Expected<SlowedSeconds> slowed_between(const Expected<SlowedSeconds>& before,
                                       const Expected<SlowedSeconds>& after);

}  // namespace gridmark::harness
