#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/storage.hpp"

/// Jacobi's method for the stream function of a flow past a rectangular body in a channel.
/// Source: P. A. Perezhogin, "Evaluating shared memory for Poisson's equation by Jacobi's method", sections
/// 1-2.
///
/// Every field is nx * ny values in C order, rows along x: index = i + j * nx.
namespace gridmark::jacobi {

/// How a grid point is treated by a sweep; the values are those of the dataset /mask.
enum class Kind : std::uint8_t { fixed = 0, inside = 1, outflow = 2 };

/// The body's first and last columns and rows, all inclusive; empty if x2 < x1.
struct Body {
    int x1, y1, x2, y2;
};

/// One problem: grid, spacing, body. `nx * ny` fits an int (the kernels index with one) unless ranks share
/// it.
struct Problem {
    int nx, ny;
    double hx, hy;
    Body body;
};

/// The update's coefficients: psi' = a (E + W) + b (N + S) + c omega.
template <class T>
struct Coefficients {
    T a, b, c;
};

/// The study's problem at any size. The paper gives no spacing and no body: here the channel is 2 long and 1
/// high, hx = 2 / (nx - 1) and hy = 1 / (ny - 1) (so a and b differ, and no test can miss their exchange),
/// with a centred body of nx/8 x ny/4 points. Throws std::invalid_argument for nx or ny < 3 and for 2^31
/// points or more.
Problem channel(int nx, int ny);

/// The same, of any number of points: no kernel but those on boxes (ranks.hpp) works on such a grid.
Problem channel_among_ranks(int nx, int ny);

/// The same grid without a body.
Problem without_body(Problem problem);

/// a, b and c from the spacings (paper, after equation 1.2), rounded once to T.
template <class T>
Coefficients<T> coefficients(const Problem& problem);

/// Fixed: left, top and bottom edges and the body; outflow: right edge; the rest is inside.
Kind kind(const Problem& problem, int i, int j);

/// `kind` for every point, in field order.
std::vector<std::uint8_t> mask(const Problem& problem);

/// psi at the start: psi = y on the inflow and the walls, 1/2 on the body, y plus seeded noise elsewhere.
template <class T>
Storage<T> initial_psi(const Problem& problem, std::uint64_t seed);

/// The same at one point.
double initial_psi_at(const Problem& problem, std::uint64_t seed, int i, int j);

/// A seeded random right-hand side in [-1, 1].
template <class T>
Storage<T> random_omega(const Problem& problem, std::uint64_t seed);
/// The same at point index = i + j * nx.
double random_omega_at(std::uint64_t seed, std::size_t index);

/// Declared cost of a sweep: least bytes moved per point (psi and omega read, psi' written) and operations
/// per inside point: 3 multiplications and 4 additions.
template <class T>
constexpr double bytes_per_point = 3.0 * sizeof(T);
constexpr double flops_per_point = 7.0;

/// Largest rounding error of `sweeps` sweeps in T against exact arithmetic on the same T-valued start, for
/// |psi| <= psi_max and |c omega| <= source_max. A sweep's weights sum to one, so errors only add; a point's
/// chain is at most five roundings (coefficient, pair sum, product, two sums): 5 u = 2.5 epsilon of (psi_max
/// + source_max).
template <class T>
double rounding_bound(int sweeps, double psi_max, double source_max);

/// The contract of every variant: one sweep in double. Rows are shared out among threads; a value is the same
/// by any number of them.
///   inside:  psi'[i,j] = a (psi[i+1,j] + psi[i-1,j]) + b (psi[i,j+1] + psi[i,j-1]) + c omega[i,j]
///   outflow: psi'[i,j] = psi[i-1,j]
///   fixed:   psi'[i,j] is not written; both buffers must hold the value.
/// All spans hold nx * ny values; `next` must not alias `psi`. Source: paper, equation (1.2) and section 2.2.
void reference_sweep(const Problem& problem, std::span<const double> psi, std::span<const double> omega,
                     std::span<double> next);

/// `sweeps` reference sweeps from `psi`, which is left untouched; returns the last field.
Storage<double> reference_solve(const Problem& problem, std::span<const double> psi,
                                std::span<const double> omega, int sweeps);

}  // namespace gridmark::jacobi
