#pragma once

#include <string>
#include <vector>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// What the profiler `ncu` prints about up to nine launches of a kernel (after three to warm the caches)
/// while it runs `gridmark solve <arguments>`: the counters as CSV, in base units, or its errors. Clocks and
/// caches are left as they are. `kernel` is a part of the kernel's name. The reason says why it cannot be
/// started.
Expected<std::string> run_ncu(const std::vector<std::string>& counters, const std::string& kernel,
                              const std::vector<std::string>& arguments, int device);

/// The metric's values from ncu's `--csv --page raw` output; empty when it holds none.
std::vector<double> parse_ncu_csv(const std::string& output, const std::string& metric);

/// ncu's own word for what went wrong: the last error that it printed; empty when there is none.
std::string ncu_error(const std::string& output);

/// True when ncu does not know one of the counters: it then counts none of them.
bool lacks_a_counter(const std::string& output);

}  // namespace gridmark::harness
