#include "kernels/pyramid/pieces.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

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
    const std::size_t least = std::max<std::size_t>(padding, 1) + 2 * padding;
    if (values_of(least) > device_values)
        throw std::invalid_argument("device_values " + std::to_string(device_values) +
                                    " hold no piece: with a padding of " + std::to_string(padding) +
                                    " at least " + std::to_string(values_of(std::min(least, n))) +
                                    " are needed");
    std::size_t fits = least, too_long = n;
    while (too_long - fits > 1) {
        const std::size_t middle = fits + (too_long - fits) / 2;
        (values_of(middle) <= device_values ? fits : too_long) = middle;
    }
    return {n, fits - 2 * padding, padding};
}

}  // namespace gridmark::pyramid
