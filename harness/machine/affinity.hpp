#pragma once

#include <vector>

#include "harness/reading.hpp"

namespace gridmark::harness {

/// The CPUs that this process may run on, ascending: also where OpenMP has bound the calling thread to some
/// of them (OMP_PROC_BIND).
Reading<std::vector<int>> read_affinity();

}  // namespace gridmark::harness
