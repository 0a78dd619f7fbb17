#pragma once

#include <vector>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// The CPUs that this process may run on, ascending: also where OpenMP has bound the calling thread to some
/// of them (OMP_PROC_BIND).
Expected<std::vector<int>> read_affinity();

}  // namespace gridmark::harness
