#include "kernels/pyramid/problem.hpp"

#include <cmath>
#include <numbers>
#include <sstream>
#include <stdexcept>

namespace gridmark::pyramid {
namespace {

constexpr double largest_s = 1e6;

}  // namespace

Problem rod(std::size_t n, double s) {
    if (n == 0) throw std::invalid_argument("n must be positive");
    if (!(s > 0 && s <= largest_s)) throw std::invalid_argument("s must lie above 0 and at most at 1e6");
    return {n, s};
}

Pair pair_of(double a, double b) {
    const double off = std::abs(a), over = std::abs(b) - 2 * off;
    std::ostringstream text;
    text.precision(10);
    text << "a = " << a << ", b = " << b << ": ";
    if (off == 0) throw std::invalid_argument(text.str() + "a must not be 0: no value has neighbours then");
    if (!(over > 0)) {
        text << "A^-1 does not decay from point to point; that takes |b| > 2 |a| = " << 2 * off;
        throw std::invalid_argument(text.str());
    }
    const double s = off / over;
    if (s > largest_s) {
        text << "A^-1 decays by 1 - " << 1 - decay(s) << " from point to point; 1 - " << 1 - decay(largest_s)
             << " or less is needed";
        throw std::invalid_argument(text.str());
    }
    return {s, a * b > 0, std::copysign(1 / over, b)};
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
