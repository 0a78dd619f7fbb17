#include "kernels/diffusion/problem.hpp"

#include <limits>
#include <stdexcept>

namespace gridmark::diffusion {

Problem rod(int n, double r) {
    if (n < 2 || n > 1 << 30) throw std::invalid_argument("n must lie between 2 and 2^30");
    if (!(r > 0 && r <= 0.5)) throw std::invalid_argument("r must lie above 0 and at most at 1/2");
    return {n, r};
}

template <class T>
double rounding_bound(const Problem& p, int steps, double largest) {
    // The sum in brackets has two roundings, of numbers up to 3 and 4 times the largest value; r and its
    // product with the sum are rounded once each (4 + 4), and so is the new value. The weights of a step are
    // positive and add up to 1, so errors only add. epsilon is two roundings: the other one covers the
    // reference's own.
    return steps * (15 * p.r + 1) * largest * std::numeric_limits<T>::epsilon();
}

template double rounding_bound<float>(const Problem&, int, double);
template double rounding_bound<double>(const Problem&, int, double);

}  // namespace gridmark::diffusion
