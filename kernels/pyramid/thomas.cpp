#include "kernels/pyramid/thomas.hpp"

#include <algorithm>
#include <limits>

#include "kernels/pyramid/pieces.hpp"

namespace gridmark::pyramid {

template <class T>
Thomas<T>::Thomas(double s, std::size_t largest) : s_(static_cast<T>(s)) {
    double pivot = 1 + 2 * s;
    pivot_.push_back(static_cast<T>(1 / pivot));
    while (pivot_.size() < largest) {
        const double next = 1 + 2 * s - s * s / pivot;
        if (next == pivot) return;
        pivot = next;
        pivot_.push_back(static_cast<T>(1 / pivot));
    }
}

template <class T>
void Thomas<T>::solve(std::span<T> x) const {
    const std::size_t n = x.size(), last = pivot_.size() - 1;
    // Row i is (x[i] + s x[i-1] / pivot[i-1]) on its way down, divided by its pivot in the same turn.
    T before = 0;
    for (std::size_t i = 0; i < n; ++i)
        before = x[i] = (x[i] + s_ * before) * pivot_[std::min(i, last)];
    T after = 0;
    for (std::size_t i = n; i-- > 0;)
        after = x[i] += s_ * pivot_[std::min(i, last)] * after;
}

std::vector<double> reference_solve(const Problem& p, std::span<const double> u, int steps) {
    const Thomas<double> thomas(p.s, p.n);
    std::vector<double> x(u.begin(), u.end());
    for (int k = 0; k < steps; ++k)
        thomas.solve(x);
    return x;
}

std::vector<double> reference_window(const Problem& p, const std::function<double(std::size_t)>& start,
                                     std::size_t begin, std::size_t end, int steps) {
    const std::size_t reach = steps == 0 ? 0 : minimal_padding(p.s, steps, 1e-17);
    const std::size_t low = begin - std::min(begin, reach), high = std::min(p.n, end + reach);
    std::vector<double> u;
    for (std::size_t i = low; i < high; ++i)
        u.push_back(start(i));
    u = reference_solve({u.size(), p.s}, u, steps);
    const auto first = u.begin() + static_cast<std::ptrdiff_t>(begin - low);
    return {first, first + static_cast<std::ptrdiff_t>(end - begin)};
}

template <class T>
double rounding_bound(double s, int steps) {
    return steps * (2 + 2 / (1 - decay(s))) * std::numeric_limits<T>::epsilon();
}

template double rounding_bound<float>(double, int);
template double rounding_bound<double>(double, int);
template class Thomas<float>;
template class Thomas<double>;

}  // namespace gridmark::pyramid
