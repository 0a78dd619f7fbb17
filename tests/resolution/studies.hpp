#pragma once

#include <vector>

#include "harness/experiment.hpp"

namespace gridmark::resolution {

/// The experiments of the real program.
const std::vector<harness::Experiment>& studies();

}  // namespace gridmark::resolution
