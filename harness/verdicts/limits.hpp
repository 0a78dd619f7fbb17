#pragma once

#include <string>
#include <vector>

#include "harness/results/row.hpp"

namespace gridmark::harness {

/// What bounds rows, for a reader who asks why one is faster: "gpu_shared 35 to 45 % of gpu_l2_bandwidth;
/// cpu_sse 61 % of cpu_triad_one_thread". A variant is named once for each ceiling that bounds it, in the
/// order of the rows; rows without a limit are left out. Empty when no row has one.
std::string describe_limits(const std::vector<Row>& rows);

}  // namespace gridmark::harness
