#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// Implicit steps with a matrix of any three diagonals: layered media, meshes of uneven width, any dominant
/// operator. A step is A U' = U, and a pass of h steps still superposes.
namespace gridmark::pyramid {

/// Row i: lower[i] x[i-1] + diagonal[i] x[i] + upper[i] x[i+1] = f[i]. lower[0] and the last of upper have no
/// neighbour and are not read. Empty for a rod of constant coefficients.
template <class T>
struct Medium {
    std::span<const T> lower, diagonal, upper;

    std::size_t size() const { return diagonal.size(); }
    Medium subspan(std::size_t first, std::size_t count) const {
        return {lower.subspan(first, count), diagonal.subspan(first, count), upper.subspan(first, count)};
    }
};

/// A step's matrix: a rod's (problem.hpp) or a medium.
template <class T>
struct Matrix {
    double s = 0;
    Medium<T> medium = {};

    Matrix(double s) : s(s) {}  // NOLINT(google-explicit-constructor): a rod is its s
    Matrix(const Medium<T>& medium) : medium(medium) {}  // NOLINT(google-explicit-constructor)
};

/// How fast A^-1 falls off, by a weight z > 1 from point to point: the least of
///   |d_i| - z |l_i| - |u_i| / z  and  |d_i| - |l_i| / z - z |u_i|  over all rows.
/// Where it is a rho > 0, all entries of A^-1 farther than p to one side of their row add up to at most
/// z^-p / rho: with W the diagonal of z^i, W A W^-1 is dominant by rho, and so is W^-1 A W.
template <class T>
double dominance(const Medium<T>& medium, double z);

/// Says in one line which row is not strictly dominant (dominance(medium, 1) is not above 0); else empty.
template <class T>
std::string not_dominant(const Medium<T>& medium);

/// What one pass of h steps with p zeros on either side of each piece can do wrong at most, in multiples of
/// what h steps can enlarge, dominance(1)^-h times the largest value. z > 1 is any weight with a positive
/// dominance(z), `at_z` of it, `at_1` that of 1.
///
/// Farther than p from a piece its response is at most z^-(p + 1) at_z^-h: such a tail is missing at either
/// side. A padded piece's matrix cuts the response off there, at both ends and in each of h steps; a step
/// adds at most a tail there, and enlarges what is wrong already by 1 / at_1. At most three padded pieces
/// hold a point. So 2 + 6 h tails are enough.
double medium_padding_error(double at_1, double at_z, double z, int h, std::size_t p);

/// The smallest padding over all weights z that keeps it at or below `tolerance` (above 0). Throws
/// std::invalid_argument with not_dominant()'s line.
template <class T>
std::size_t medium_padding(const Medium<T>& medium, int h, double tolerance);

/// What rounding to T can do in `steps` steps, in the same multiples: four roundings a step of the largest
/// row, enlarged by 1 / dominance(1). Source: Higham, Accuracy and Stability of Numerical Algorithms (2002),
/// section 9.6, which proves six for Thomas's algorithm.
template <class T>
double medium_rounding_bound(const Medium<T>& medium, int steps);

/// Thomas's algorithm for any three diagonals; its factors are made once.
template <class T>
class MediumThomas {
  public:
    explicit MediumThomas(const Medium<T>& medium);
    /// Solves A x = x in place.
    void solve(std::span<T> x) const;

  private:
    std::span<const T> lower_;
    std::vector<T> inverse_;  ///< 1 / pivot
    std::vector<T> share_;    ///< upper / pivot
};

/// Why there is no LAPACK, which is looked for while the program runs; empty if there is.
std::string lapack_unavailable_reason();

/// LAPACK's solver for the same (gtsv). It pivots, and makes its factors anew in every solve.
template <class T>
class MediumLapack {
  public:
    explicit MediumLapack(const Medium<T>& medium);
    /// Solves A x = x in place.
    void solve(std::span<T> x);

  private:
    std::vector<T> matrix_;  ///< the three diagonals, n values each
    std::vector<T> three_;   ///< a copy, which a solve overwrites
};

/// The contract of every version: `steps` steps, serial, in double.
std::vector<double> reference_medium(const Medium<double>& medium, std::span<const double> u, int steps);

}  // namespace gridmark::pyramid
