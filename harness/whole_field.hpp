#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "harness/experiment.hpp"

namespace gridmark::harness {

/// Largest distance of a field from the reference, both of one size; beyond every tolerance where a value is
/// not finite.
template <class T>
Verification compare_whole_field(std::span<const T> field, std::span<const double> reference,
                                 double tolerance, int steps) {
    double error = 0, scale = 0;
    bool finite = true;
    const auto n = static_cast<std::ptrdiff_t>(field.size());
#pragma omp parallel for reduction(max : error, scale) reduction(&& : finite)
    for (std::ptrdiff_t k = 0; k < n; ++k) {
        const double distance = std::abs(static_cast<double>(field[k]) - reference[k]);
        finite = finite && std::isfinite(distance);
        error = std::max(error, distance);
        scale = std::max(scale, std::abs(reference[k]));
    }
    return {"reference in double, whole field", finite ? error : std::numeric_limits<double>::max(),
            tolerance, steps, scale};
}

}  // namespace gridmark::harness
