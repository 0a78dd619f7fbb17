#include "kernels/pyramid/padding.hpp"

#include <cmath>
#include <vector>

#include "kernels/pyramid/problem.hpp"

namespace gridmark::pyramid {
namespace {

/// Probabilities that X is 0, 1, ... until they no longer count.
std::vector<double> negative_binomial(double lambda, int h) {
    std::vector<double> found;
    // By logarithms: (1 - lambda)^h may be below any double.
    double logarithm = h * std::log1p(-lambda);
    for (std::size_t k = 0;; ++k) {
        const double here = std::exp(logarithm);
        found.push_back(here);
        const double growth = lambda * (h + static_cast<double>(k)) / (static_cast<double>(k) + 1);
        if (growth < 1 && here * growth / (1 - growth) < 1e-320) return found;
        logarithm += std::log(growth);
    }
}

}  // namespace

double response_tail(double s, int h, std::size_t distance) {
    const auto x = negative_binomial(decay(s), h);
    // above[k] = P(X >= k), summed from its small end.
    std::vector<double> above(x.size() + 1, 0.0);
    for (std::size_t k = x.size(); k-- > 0;)
        above[k] = above[k + 1] + x[k];
    double sum = 0;
    for (std::size_t y = 0; y + distance < x.size(); ++y)
        sum += x[y] * above[y + distance];
    return sum;
}

double padding_error(double s, int h, std::size_t p) {
    return 2 * response_tail(s, h, p + 1);
}

std::size_t least_padding(double s, int h, double tolerance) {
    std::size_t enough = 1;
    while (padding_error(s, h, enough) > tolerance)
        enough *= 2;
    std::size_t little = enough / 2;
    while (enough - little > 1) {
        const std::size_t middle = (enough + little) / 2;
        (padding_error(s, h, middle) > tolerance ? little : enough) = middle;
    }
    return enough;
}

std::size_t paper_padding(double s, int h, double tolerance) {
    return static_cast<std::size_t>(h) * least_padding(s, 1, tolerance);
}

}  // namespace gridmark::pyramid
