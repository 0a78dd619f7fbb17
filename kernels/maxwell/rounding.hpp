#pragma once

#include "kernels/maxwell/materials.hpp"
#include "kernels/maxwell/solver.hpp"

namespace gridmark::maxwell {

/// How far T's rounding can take `steps` steps from exact ones at most, when no value is above `largest` at
/// first: each half step multiplies what is there by no more than its coefficients, and adds its own
/// roundings.
template <class T>
double rounding_bound(const Problem& problem, const Body& body, int steps, double largest);

}  // namespace gridmark::maxwell
