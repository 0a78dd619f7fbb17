#pragma once

#include <string>

namespace gridmark::harness {

/// Initialises PAPI once for the process; why that failed, or nothing.
const std::string& papi_failure();

}  // namespace gridmark::harness
