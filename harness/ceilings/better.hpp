#pragma once

#include <vector>

#include "harness/ceilings/ceiling.hpp"

namespace gridmark::harness {

/// Takes from `again` the rates of the same names that are higher, or that `ceilings` lack. A machine that
/// others use may give all its cores at one time and half of them some seconds later; a ceiling is what it
/// can do.
void keep_better(std::vector<Ceiling>& ceilings, const std::vector<Ceiling>& again);

}  // namespace gridmark::harness
