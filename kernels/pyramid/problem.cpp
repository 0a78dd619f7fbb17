#include "kernels/pyramid/problem.hpp"

#include <cmath>
#include <numbers>
#include <stdexcept>

namespace gridmark::pyramid {

Problem rod(std::size_t n, double s) {
    if (n == 0) throw std::invalid_argument("n must be positive");
    if (!(s > 0 && s <= 1e6)) throw std::invalid_argument("s must lie above 0 and at most at 1e6");
    return {n, s};
}

double decay(double s) {
    // The smaller root, without the cancellation of (1 + 2 s - sqrt(1 + 4 s)) / (2 s).
    return 2 * s / (1 + 2 * s + std::sqrt(1 + 4 * s));
}

double sine_factor(const Problem& p, double half_waves) {
    const double sine = std::sin(half_waves * std::numbers::pi / (2 * (static_cast<double>(p.n) + 1)));
    return 1 / (1 + 4 * p.s * sine * sine);
}

}  // namespace gridmark::pyramid
