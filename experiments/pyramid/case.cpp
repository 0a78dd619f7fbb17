#include "experiments/pyramid/case.hpp"

#include <algorithm>
#include <array>
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

namespace {

/// A start whose steps are known at any size: a sum of products of random lines, each of which is stepped by
/// itself, serially and in double.
class ProductsOfLines {
  public:
    ProductsOfLines(const Box& box, std::uint64_t seed) : box_(box) {
        for (std::size_t m = 0; m < terms; ++m)
            for (std::size_t axis = 0; axis < 3; ++axis) {
                auto& line = lines_[m][axis];
                line.resize(std::array{box.nx, box.ny, box.nz}[axis]);
                // Around a mean that stays, and of both signs for the second and third.
                for (std::size_t i = 0; i < line.size(); ++i)
                    line[i] = (m == 0 ? 0.5 : 0) + unit_random(seed + 3 * m + axis, i) - (m == 0 ? 0 : 0.5);
            }
    }
    void step(int count) {
        for (auto& term : lines_)
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(box_.dimensions); ++axis) {
                const Thomas<double> thomas(box_.s / 2, term[axis].size());
                for (int k = 0; k < count; ++k) {
                    const auto f = term[axis];
                    thomas.solve(term[axis]);
                    for (std::size_t i = 0; i < f.size(); ++i)
                        term[axis][i] = 2 * term[axis][i] - f[i];
                }
            }
    }
    /// The row of x at z and y.
    void row(std::size_t z, std::size_t y, std::vector<double>& values) const {
        values.assign(box_.nx, 0.0);
        for (const auto& [x_line, y_line, z_line] : lines_)
            for (std::size_t x = 0; x < box_.nx; ++x)
                values[x] += x_line[x] * y_line[y] * z_line[z];
    }

  private:
    static constexpr std::size_t terms = 3;
    Box box_;
    std::array<std::array<std::vector<double>, 3>, terms> lines_;
};

/// Calls with each row's number and exact values, by all threads.
template <class Body>
void each_row(const Box& box, const ProductsOfLines& field, const Body& body) {
    const auto rows = static_cast<std::ptrdiff_t>(box.ny * box.nz);
#pragma omp parallel
    {
        std::vector<double> values;
#pragma omp for schedule(static)
        for (std::ptrdiff_t r = 0; r < rows; ++r) {
            field.row(static_cast<std::size_t>(r) / box.ny, static_cast<std::size_t>(r) % box.ny, values);
            body(static_cast<std::size_t>(r), values);
        }
    }
}

}  // namespace

template <class T>
void start_box(const Box& box, std::uint64_t seed, std::span<T> field) {
    each_row(box, ProductsOfLines(box, seed), [&](std::size_t r, const std::vector<double>& values) {
        for (std::size_t x = 0; x < box.nx; ++x)
            field[r * box.nx + x] = static_cast<T>(values[x]);
    });
}

template <class T>
harness::Verification compare_box(const Box& box, std::uint64_t seed, std::span<const T> field, int steps,
                                  double tolerance) {
    ProductsOfLines lines(box, seed);
    lines.step(steps);
    std::vector<double> errors(box.ny * box.nz), scales(errors.size());
    each_row(box, lines, [&](std::size_t r, const std::vector<double>& values) {
        for (std::size_t x = 0; x < box.nx; ++x) {
            const double apart = std::abs(static_cast<double>(field[r * box.nx + x]) - values[x]);
            errors[r] =
                std::isfinite(apart) ? std::max(errors[r], apart) : std::numeric_limits<double>::max();
            scales[r] = std::max(scales[r], std::abs(values[x]));
        }
    });
    return {"exact steps of a sum of products of lines, whole box",
            *std::max_element(errors.begin(), errors.end()), tolerance, steps,
            *std::max_element(scales.begin(), scales.end())};
}

#define GRIDMARK_INSTANTIATE(T)                                                                             \
    template T start_value<T>(std::uint64_t, std::size_t);                                                  \
    template struct Case<T>;                                                                                \
    template std::shared_ptr<const Case<T>> shared_case(std::size_t, std::uint64_t);                        \
    template harness::Verification compare_steps(const Case<T>&, std::span<const T>, double, int,           \
                                                 const Pieces&, double);                                    \
    template void start_box(const Box&, std::uint64_t, std::span<T>);                                       \
    template harness::Verification compare_box(const Box&, std::uint64_t, std::span<const T>, int, double); \
    template harness::Verification verify_steps(const Case<T>&, harness::Stepper<T>&, double, int,          \
                                                const Pieces&, double);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid
