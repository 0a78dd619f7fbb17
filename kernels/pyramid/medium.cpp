#include "kernels/pyramid/medium.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <sstream>
#include <stdexcept>

#include "kernels/precision.hpp"

namespace gridmark::pyramid {
namespace {

/// Absolute values of a row; what has no neighbour is 0.
struct Sizes {
    double lower, diagonal, upper;
};

template <class T>
Sizes sizes_of(const Medium<T>& m, std::size_t i) {
    return {i == 0 ? 0 : std::abs(static_cast<double>(m.lower[i])),
            std::abs(static_cast<double>(m.diagonal[i])),
            i + 1 == m.size() ? 0 : std::abs(static_cast<double>(m.upper[i]))};
}

/// Padding by the bound with a weight z.
double padding_by(double at_1, double at_z, double z, int h, double tolerance) {
    return std::ceil((h * std::log(at_1 / at_z) + std::log((2 + 6.0 * h) / tolerance)) / std::log(z)) - 1;
}

}  // namespace

template <class T>
double dominance(const Medium<T>& medium, double z) {
    const auto n = static_cast<std::ptrdiff_t>(medium.size());
    double least = std::numeric_limits<double>::infinity();
#pragma omp parallel for schedule(static) reduction(min : least) if (n > 100000)
    for (std::ptrdiff_t i = 0; i < n; ++i) {
        const auto [lower, diagonal, upper] = sizes_of(medium, static_cast<std::size_t>(i));
        least = std::min({least, diagonal - z * lower - upper / z, diagonal - lower / z - z * upper});
    }
    return least;
}

template <class T>
std::string not_dominant(const Medium<T>& medium) {
    for (std::size_t i = 0; i < medium.size(); ++i) {
        const auto [lower, diagonal, upper] = sizes_of(medium, i);
        if (diagonal - lower - upper > 0) continue;
        std::ostringstream text;
        text << "row " << i << " is not dominant: |diagonal| " << diagonal
             << " must exceed |lower| + |upper|, " << lower << " + " << upper
             << "; only then the inverse decays and pieces can be padded";
        return text.str();
    }
    return {};
}

double medium_padding_error(double at_1, double at_z, double z, int h, std::size_t p) {
    return (2 + 6.0 * h) * std::exp(h * std::log(at_1 / at_z) - (static_cast<double>(p) + 1) * std::log(z));
}

template <class T>
std::size_t medium_padding(const Medium<T>& medium, int h, double tolerance) {
    if (const std::string why = not_dominant(medium); !why.empty()) throw std::invalid_argument(why);
    const double at_1 = dominance(medium, 1);
    // By the logarithm of z: where the dominance ends, then the minimum before it. Padding first falls with z
    // (the tail is shorter), then grows (the weight leaves no dominance).
    double low = 0, high = 1e-9;
    while (high < 100 && dominance(medium, std::exp(high)) > 0)
        low = high, high *= 2;
    for (int k = 0; k < 30; ++k) {
        const double middle = (low + high) / 2;
        (dominance(medium, std::exp(middle)) > 0 ? low : high) = middle;
    }
    const auto padding = [&](double logarithm) {
        const double z = std::exp(logarithm), at_z = dominance(medium, z);
        return at_z > 0 ? padding_by(at_1, at_z, z, h, tolerance) : std::numeric_limits<double>::infinity();
    };
    double first = 0, last = low, best = padding(low);
    constexpr double golden = 0.6180339887498949;
    for (int k = 0; k < 40; ++k) {
        const double left = last - golden * (last - first), right = first + golden * (last - first);
        const double at_left = padding(left), at_right = padding(right);
        best = std::min({best, at_left, at_right});
        (at_left < at_right ? last : first) = at_left < at_right ? right : left;
    }
    // No rod is as long: the caller says that it does not fit.
    return static_cast<std::size_t>(std::clamp(best, 1.0, 0x1p50));
}

template <class T>
double medium_rounding_bound(const Medium<T>& medium, int steps) {
    double largest = 0;
    for (std::size_t i = 0; i < medium.size(); ++i) {
        const auto [lower, diagonal, upper] = sizes_of(medium, i);
        largest = std::max(largest, lower + diagonal + upper);
    }
    return 4.0 * steps * largest / dominance(medium, 1) * std::numeric_limits<T>::epsilon();
}

template <class T>
MediumThomas<T>::MediumThomas(const Medium<T>& medium)
    : lower_(medium.lower), inverse_(medium.size()), share_(medium.size()) {
    // In double, as the rod's: so a float answer has the roundings of its own recurrences alone.
    double share = 0;
    for (std::size_t i = 0; i < medium.size(); ++i) {
        const double lower = i == 0 ? 0 : medium.lower[i];
        const double inverse = 1 / (medium.diagonal[i] - lower * share);
        share = i + 1 == medium.size() ? 0 : medium.upper[i] * inverse;
        inverse_[i] = static_cast<T>(inverse);
        share_[i] = static_cast<T>(share);
    }
}

template <class T>
void MediumThomas<T>::solve(std::span<T> x) const {
    T before = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        before = x[i] = (x[i] - (i == 0 ? T{0} : lower_[i]) * before) * inverse_[i];
    T after = 0;
    for (std::size_t i = x.size(); i-- > 0;)
        after = x[i] -= share_[i] * after;
}

namespace {

template <class T>
using Gtsv = void(const int*, const int*, T*, T*, T*, T*, const int*, int*);

template <class T>
Gtsv<T>* gtsv() {
    static void* const library = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
    static void* const found =
        library == nullptr ? nullptr : dlsym(library, sizeof(T) == sizeof(float) ? "sgtsv_" : "dgtsv_");
    return reinterpret_cast<Gtsv<T>*>(found);
}

}  // namespace

std::string lapack_unavailable_reason() {
    return gtsv<float>() == nullptr || gtsv<double>() == nullptr
               ? "no liblapack.so.3 found (Debian: liblapack3)"
               : std::string();
}

template <class T>
MediumLapack<T>::MediumLapack(const Medium<T>& medium) {
    for (const auto diagonal : {medium.lower, medium.diagonal, medium.upper})
        matrix_.insert(matrix_.end(), diagonal.begin(), diagonal.end());
}

template <class T>
void MediumLapack<T>::solve(std::span<T> x) {
    three_ = matrix_;
    T* const lower = three_.data() + 1;  // gtsv's begins with the second row's
    const int n = static_cast<int>(x.size()), one = 1;
    int info = 0;
    gtsv<T>()(&n, &one, lower, three_.data() + n, three_.data() + 2 * x.size(), x.data(), &n, &info);
    if (info != 0)
        throw std::runtime_error("LAPACK's gtsv: row " + std::to_string(info - 1) + " has no pivot");
}

std::vector<double> reference_medium(const Medium<double>& medium, std::span<const double> u, int steps) {
    const MediumThomas<double> thomas(medium);
    std::vector<double> x(u.begin(), u.end());
    for (int k = 0; k < steps; ++k)
        thomas.solve(x);
    return x;
}

#define GRIDMARK_INSTANTIATE(T)                                         \
    template double dominance(const Medium<T>&, double);                \
    template std::string not_dominant(const Medium<T>&);                \
    template std::size_t medium_padding(const Medium<T>&, int, double); \
    template double medium_rounding_bound(const Medium<T>&, int);       \
    template class MediumThomas<T>;                                     \
    template class MediumLapack<T>;
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid
