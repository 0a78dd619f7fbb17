#include "kernels/pyramid/pieces.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

#include "kernels/fitting.hpp"
#include "kernels/pyramid/problem.hpp"

namespace gridmark::pyramid {

Piece Pieces::operator[](std::size_t k) const {
    const std::size_t begin = k * length, end = std::min(n, begin + length);
    return {begin, end, std::min(padding, begin), std::min(padding, n - end)};
}

std::size_t Pieces::padded() const {
    std::size_t sum = 0;
    for (std::size_t k = 0; k < count(); ++k)
        sum += (*this)[k].padded();
    return sum;
}

std::size_t Pieces::reached_before(std::size_t k) const {
    return k == 0 ? 0 : (*this)[k - 1].high;
}

Pieces pieces_for(std::size_t n, std::size_t padding, std::size_t device_values,
                  const std::function<std::size_t(std::size_t)>& values_of) {
    if (values_of(n) <= device_values) return {n, n, 0};
    const std::size_t shortest = std::max<std::size_t>(padding, 1) + 2 * padding;
    if (values_of(shortest) > device_values)
        throw std::invalid_argument("device_values " + std::to_string(device_values) +
                                    " hold no piece: with a padding of " + std::to_string(padding) +
                                    " at least " + std::to_string(values_of(std::min(shortest, n))) +
                                    " are needed");
    const std::size_t longest =
        largest_that_fits(shortest, n - 1, [&](std::size_t m) { return values_of(m) <= device_values; });
    return {n, longest - 2 * padding, padding};
}

namespace {

/// Probabilities that X is 0, 1, ... until they no longer count.
std::vector<double> negative_binomial(double lambda, int h) {
    std::vector<double> probabilities;
    // By logarithms: (1 - lambda)^h may be below any double.
    double logarithm = h * std::log1p(-lambda);
    for (std::size_t k = 0;; ++k) {
        const double here = std::exp(logarithm);
        probabilities.push_back(here);
        const double growth = lambda * (h + static_cast<double>(k)) / (static_cast<double>(k) + 1);
        if (growth < 1 && here * growth / (1 - growth) < 1e-320) return probabilities;
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

std::size_t minimal_padding(double s, int h, double tolerance) {
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
    return static_cast<std::size_t>(h) * minimal_padding(s, 1, tolerance);
}

}  // namespace gridmark::pyramid
