#include "experiments/pyramid/case.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "harness/cache.hpp"
#include "kernels/pyramid/thomas.hpp"
#include "kernels/random.hpp"

namespace gridmark::pyramid {
namespace {

/// A rod of up to so many values is compared whole: the windows would have more.
constexpr std::size_t whole = std::size_t{1} << 17;
/// Longer than two tiles of a kernel, so that each window holds seams between its blocks.
constexpr std::size_t window = 10000;
constexpr int seams = 4, places = 6;

struct Window {
    std::size_t begin, end;
};

std::vector<Window> windows_of(std::size_t n, const Pieces& pieces, std::uint64_t seed) {
    if (n <= whole) return {{0, n}};
    std::vector<Window> windows{{0, window}, {n - window, n}};
    const auto around = [&](std::size_t middle) {
        const std::size_t begin = std::min(middle - std::min(middle, window / 2), n - window);
        windows.push_back({begin, begin + window});
    };
    // The first seam, the last, and some between.
    for (std::size_t k = 0; k < seams && pieces.count() > 1; ++k)
        around((1 + k * (pieces.count() - 2) / (seams - 1)) * pieces.length);
    for (std::size_t k = 0; k < places; ++k)
        around(static_cast<std::size_t>(unit_random(seed + 1, k) * static_cast<double>(n)));
    return windows;
}

}  // namespace

template <class T>
T start_value(std::uint64_t seed, std::size_t i) {
    return static_cast<T>(2 * unit_random(seed, i) - 1);
}

template <class T>
Case<T>::Case(std::size_t n, std::uint64_t seed) : n(n), seed(seed), start(n), field(n) {
    const auto count = static_cast<std::ptrdiff_t>(n);
    // Around a mean that stays: diffusion fades the rest until it is no larger than what rounding may do.
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < count; ++i)
        start[i] = (1 + start_value<T>(seed, static_cast<std::size_t>(i))) / 2;
}

template <class T>
std::shared_ptr<const Case<T>> shared_case(std::size_t n, std::uint64_t seed) {
    static harness::Cache<Case<T>> cases(2);
    return cases.get([&](const Case<T>& c) { return c.n == n && c.seed == seed; }, 0,
                     [&] { return std::make_shared<const Case<T>>(n, seed); });
}

template <class T>
harness::Verification compare_steps(const Case<T>& c, std::span<const T> field, double s, int steps,
                                    const Pieces& pieces, double tolerance) {
    const auto n = static_cast<std::ptrdiff_t>(c.n);
    const auto windows = windows_of(c.n, pieces, c.seed);
    const auto count = static_cast<int>(windows.size());
    double error = 0, scale = 0;
    bool finite = true;
#pragma omp parallel for schedule(static) reduction(&& : finite)
    for (std::ptrdiff_t i = 0; i < n; ++i)
        finite = finite && std::isfinite(field[i]);
#pragma omp parallel for schedule(dynamic) reduction(max : error, scale)
    for (int k = 0; k < count; ++k) {
        const auto [begin, end] = windows[k];
        const auto expected = reference_window(
            {c.n, s}, [&](std::size_t i) { return static_cast<double>(c.start[i]); }, begin, end, steps);
        for (std::size_t i = begin; i < end; ++i) {
            const double distance = std::abs(static_cast<double>(field[i]) - expected[i - begin]);
            error = std::max(error, distance);
            scale = std::max(scale, std::abs(expected[i - begin]));
        }
    }
    const std::string where = c.n <= whole ? "whole rod" : std::to_string(count) + " windows";
    return {"serial reference in double, " + where, finite ? error : std::numeric_limits<double>::max(),
            tolerance, steps, scale};
}

template <class T>
harness::Verification verify_steps(const Case<T>& c, harness::Stepper<T>& stepper, double s, int steps,
                                   const Pieces& pieces, double tolerance) {
    const auto n = static_cast<std::ptrdiff_t>(c.n);
    // A value that nobody writes cannot pass.
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < n; ++i)
        c.field[i] = std::numeric_limits<T>::quiet_NaN();
    stepper.start(c.start, c.field);
    stepper.steps(steps);
    stepper.read(c.field);
    return compare_steps<T>(c, c.field, s, steps, pieces, tolerance);
}

#define GRIDMARK_INSTANTIATE(T)                                                                    \
    template T start_value<T>(std::uint64_t, std::size_t);                                         \
    template struct Case<T>;                                                                       \
    template std::shared_ptr<const Case<T>> shared_case(std::size_t, std::uint64_t);               \
    template harness::Verification compare_steps(const Case<T>&, std::span<const T>, double, int,  \
                                                 const Pieces&, double);                           \
    template harness::Verification verify_steps(const Case<T>&, harness::Stepper<T>&, double, int, \
                                                const Pieces&, double);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid
