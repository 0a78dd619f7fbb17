#pragma once

#include <string>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// The version of CUPTI that the kernel clock would use, such as "13.0.1".
Expected<std::string> read_cupti_version();

}  // namespace gridmark::harness
