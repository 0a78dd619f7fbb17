#pragma once

#include <vector>

#include "kernels/diffusion/problem.hpp"

namespace gridmark::diffusion {

/// The contract of every variant: `steps` serial steps in double from a field of n values, written as the
/// paper writes them; returns the last field.
std::vector<double> reference_solve(const Problem& problem, std::vector<double> field, int steps);

}  // namespace gridmark::diffusion
