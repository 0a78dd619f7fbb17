#include "kernels/pyramid/box.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>

#include "kernels/pyramid/problem.hpp"
#include "kernels/pyramid/thomas.hpp"

namespace gridmark::pyramid {
namespace {

/// Crank and Nicolson's step on the lines of one axis: `lines` times `outer` of them, of n values each a
/// `stride` apart.
void reference_sweep(const Thomas<double>& thomas, std::span<double> u, std::size_t n, std::size_t stride,
                     std::size_t lines, std::size_t outer, std::size_t outer_stride) {
    std::vector<double> line(n);
    for (std::size_t o = 0; o < outer; ++o)
        for (std::size_t l = 0; l < lines; ++l) {
            double* const first = u.data() + o * outer_stride + l * (stride == 1 ? n : 1);
            for (std::size_t i = 0; i < n; ++i)
                line[i] = first[i * stride];
            thomas.solve(line);
            for (std::size_t i = 0; i < n; ++i)
                first[i * stride] = 2 * line[i] - first[i * stride];
        }
}

}  // namespace

Box box_of(std::size_t nx, std::size_t ny, std::size_t nz, double s, int dimensions) {
    if (nx == 0 || ny == 0 || nz == 0) throw std::invalid_argument("nx, ny and nz must be positive");
    if (!(s > 0 && s <= 1e4)) throw std::invalid_argument("s must lie above 0 and at most at 1e4");
    if (dimensions == 2 && nz != 1)
        throw std::invalid_argument("two dimensions have one layer: nz must be 1");
    return {nx, ny, nz, s, dimensions};
}

double box_sine_factor(const Box& box, double mx, double my, double mz) {
    const auto factor = [&](double m, std::size_t n) {
        const double sine = std::sin(m * std::numbers::pi / (2 * (static_cast<double>(n) + 1)));
        return (1 - 2 * box.s * sine * sine) / (1 + 2 * box.s * sine * sine);
    };
    return factor(mx, box.nx) * factor(my, box.ny) * (box.dimensions == 3 ? factor(mz, box.nz) : 1);
}

std::size_t box_reach(double s, double share) {
    // Of values up to 1 the recurrences sum up to 1 / (1 - lambda)^2, and the first one that is left out
    // counts lambda^(reach + 1) of that. The scale is 2 (1 - lambda)^2.
    return static_cast<std::size_t>(
        std::max(1.0, std::ceil(std::log(share / 2) / std::log(decay(s / 2)) - 1)));
}

double box_growth(const Box& box) {
    // 2 (1 - lambda) / (1 + lambda) - 1 is what a value keeps of itself.
    if (decay(box.s / 2) <= 1.0 / 3) return 1;
    constexpr double most = 4.325;
    return std::pow(most, box.dimensions);
}

template <class T>
double box_rounding_bound(const Box& box, int steps) {
    return steps * box.dimensions * (4 + 4 / (1 - decay(box.s / 2))) * std::numeric_limits<T>::epsilon();
}

template <class T>
double box_solver_bound(const Box& box, int steps) {
    return 2 * box_rounding_bound<T>(box, steps) +
           2 * steps * box.dimensions * (std::abs(1 - box.s) + box.s) * std::numeric_limits<T>::epsilon();
}

std::vector<double> reference_box(const Box& box, std::span<const double> start, int steps) {
    std::vector<double> u(start.begin(), start.end());
    const Thomas<double> thomas(box.s / 2, std::max({box.nx, box.ny, box.nz}));
    for (int k = 0; k < steps; ++k) {
        reference_sweep(thomas, u, box.nx, 1, box.ny, box.nz, box.layer());
        reference_sweep(thomas, u, box.ny, box.nx, box.nx, box.nz, box.layer());
        if (box.dimensions == 3) reference_sweep(thomas, u, box.nz, box.layer(), box.layer(), 1, 0);
    }
    return u;
}

namespace {

/// The forward recurrence's value before a line: odd about the zero at -1 (and at n, where that is near).
template <class T>
T before_line(const AxisSolve<T>& sweep, const T* first, std::size_t n, std::size_t stride) {
    T sum = 0, power = 1;
    for (std::size_t i = 0; i < std::min<std::size_t>(n, sweep.reach); ++i, power *= sweep.lambda)
        sum += power * first[i * stride];
    if (n >= static_cast<std::size_t>(sweep.reach)) return -sweep.lambda * sum;
    // The far half of the period counts, too: it is the line turned round, with its sign.
    for (std::size_t i = n; i-- > 0;)
        power *= sweep.lambda, sum -= power * first[i * stride];
    return -sweep.lambda * sum / (1 - power * sweep.lambda * sweep.lambda);
}

constexpr int together = 16;  ///< lines of a sweep along x whose recurrences hide each other's latency

/// `count` lines along x, together at most.
template <class T>
void sweep_rows(const AxisSolve<T>& sweep, T* first, std::size_t n, int count) {
    T y[together], before[together], x[together];
    for (int l = 0; l < count; ++l)
        before[l] = y[l] = before_line(sweep, first + l * n, n, 1);
    for (std::size_t i = 0; i < n; ++i)
        for (int l = 0; l < count; ++l)
            first[l * n + i] = y[l] = first[l * n + i] + sweep.lambda * y[l];
    std::fill_n(x, count, T{0});
    for (std::size_t i = n; i-- > 0;)
        for (int l = 0; l < count; ++l) {
            T* const at = first + l * n + i;
            x[l] = *at + sweep.lambda * x[l];
            *at = sweep.scale * x[l] - (*at - sweep.lambda * (i > 0 ? at[-1] : before[l]));
        }
}

/// Lines across rows: `width` of them side by side, of n values a `stride` apart.
template <class T>
void sweep_columns(const AxisSolve<T>& sweep, T* first, std::size_t n, std::size_t stride,
                   std::size_t width) {
    std::vector<T> before(width), x(width, T{0});
    for (std::size_t l = 0; l < width; ++l)
        before[l] = before_line(sweep, first + l, n, stride);
    for (std::size_t i = 0; i < n; ++i) {
        T* const now = first + i * stride;
        const T* const last = i > 0 ? now - stride : before.data();
#pragma omp simd
        for (std::size_t l = 0; l < width; ++l)
            now[l] += sweep.lambda * last[l];
    }
    for (std::size_t i = n; i-- > 0;) {
        T* const now = first + i * stride;
        const T* const last = i > 0 ? now - stride : before.data();
#pragma omp simd
        for (std::size_t l = 0; l < width; ++l) {
            x[l] = now[l] + sweep.lambda * x[l];
            now[l] = sweep.scale * x[l] - (now[l] - sweep.lambda * last[l]);
        }
    }
}

}  // namespace

template <class T>
void cpu_box(const Box& box, std::span<T> u, int threads) {
    const AxisSolve<T> sweep = axis_solve_of<T>(box.s, std::numeric_limits<T>::epsilon() / 8);
    const auto rows = static_cast<std::ptrdiff_t>(box.ny * box.nz),
               layers = static_cast<std::ptrdiff_t>(box.nz);
    // A strip of columns stays in a core's cache on its way down and up.
    constexpr std::size_t strip = 256;
    const auto strips_x = static_cast<std::ptrdiff_t>((box.nx + strip - 1) / strip);
    const auto strips = static_cast<std::ptrdiff_t>((box.layer() + strip - 1) / strip);
#pragma omp parallel num_threads(threads)
    {
#pragma omp for schedule(static)
        for (std::ptrdiff_t r = 0; r < rows; r += together)
            sweep_rows(sweep, u.data() + r * static_cast<std::ptrdiff_t>(box.nx), box.nx,
                       static_cast<int>(std::min<std::ptrdiff_t>(together, rows - r)));
#pragma omp for schedule(static) collapse(2)
        for (std::ptrdiff_t z = 0; z < layers; ++z)
            for (std::ptrdiff_t k = 0; k < strips_x; ++k) {
                const std::size_t x = static_cast<std::size_t>(k) * strip;
                sweep_columns(sweep, u.data() + static_cast<std::size_t>(z) * box.layer() + x, box.ny, box.nx,
                              std::min(strip, box.nx - x));
            }
        if (box.dimensions == 3) {
#pragma omp for schedule(static)
            for (std::ptrdiff_t k = 0; k < strips; ++k) {
                const std::size_t x = static_cast<std::size_t>(k) * strip;
                sweep_columns(sweep, u.data() + x, box.nz, box.layer(), std::min(strip, box.layer() - x));
            }
        }
    }
}

#define GRIDMARK_INSTANTIATE(T)                             \
    template double box_rounding_bound<T>(const Box&, int); \
    template double box_solver_bound<T>(const Box&, int);   \
    template void cpu_box(const Box&, std::span<T>, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::pyramid
