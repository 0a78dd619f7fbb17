#pragma once

#include <vector>

#include "harness/ceilings/ceiling.hpp"

namespace gridmark::harness {

/// All threads can do at least what one can, the others being idle. On a machine that others use, all
/// together may measure less: then the value of NAME_one_thread stands for NAME_all_threads too, and `how`
/// says so.
void raise_to_one_thread(std::vector<Ceiling>& ceilings);

}  // namespace gridmark::harness
