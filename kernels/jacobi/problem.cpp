#include "kernels/jacobi/problem.hpp"

#include <limits>
#include <stdexcept>

#include "kernels/random.hpp"

namespace gridmark::jacobi {
namespace {

std::size_t points(const Problem& p) {
    return static_cast<std::size_t>(p.nx) * static_cast<std::size_t>(p.ny);
}

}  // namespace

Problem channel(int nx, int ny) {
    if (nx >= 3 && ny >= 3 && static_cast<long long>(nx) * ny > std::numeric_limits<int>::max())
        throw std::invalid_argument("nx * ny must be below 2^31");
    return channel_among_ranks(nx, ny);
}

Problem channel_among_ranks(int nx, int ny) {
    if (nx < 3 || ny < 3) throw std::invalid_argument("nx and ny must be at least 3");
    const int width = nx / 8, height = ny / 4;
    const int x1 = (nx - width) / 2, y1 = (ny - height) / 2;
    return {nx, ny, 2.0 / (nx - 1), 1.0 / (ny - 1), {x1, y1, x1 + width - 1, y1 + height - 1}};
}

Problem without_body(Problem problem) {
    problem.body = {0, 0, -1, -1};
    return problem;
}

template <class T>
Coefficients<T> coefficients(const Problem& p) {
    const double hx2 = p.hx * p.hx, hy2 = p.hy * p.hy, d = 2 * (hx2 + hy2);
    return {static_cast<T>(hy2 / d), static_cast<T>(hx2 / d), static_cast<T>(-hx2 * hy2 / d)};
}

Kind kind(const Problem& p, int i, int j) {
    if (i == 0 || j == 0 || j == p.ny - 1) return Kind::fixed;
    if (i >= p.body.x1 && i <= p.body.x2 && j >= p.body.y1 && j <= p.body.y2) return Kind::fixed;
    return i == p.nx - 1 ? Kind::outflow : Kind::inside;
}

std::vector<std::uint8_t> mask(const Problem& p) {
    std::vector<std::uint8_t> result(points(p));
    for (int j = 0; j < p.ny; ++j)
        for (int i = 0; i < p.nx; ++i)
            result[i + static_cast<std::size_t>(j) * p.nx] = static_cast<std::uint8_t>(kind(p, i, j));
    return result;
}

double initial_psi_at(const Problem& p, std::uint64_t seed, int i, int j) {
    if (i >= p.body.x1 && i <= p.body.x2 && j >= p.body.y1 && j <= p.body.y2) return 0.5;
    const std::size_t k = i + static_cast<std::size_t>(j) * p.nx;
    return j * p.hy + (kind(p, i, j) == Kind::fixed ? 0.0 : 0.2 * (unit_random(seed, k) - 0.5));
}

double random_omega_at(std::uint64_t seed, std::size_t index) {
    return 2 * unit_random(seed ^ 0x6F6D656761ULL, index) - 1;
}

template <class T>
Storage<T> initial_psi(const Problem& p, std::uint64_t seed) {
    Storage<T> psi(points(p));
#pragma omp parallel for
    for (int j = 0; j < p.ny; ++j)
        for (int i = 0; i < p.nx; ++i)
            psi[i + static_cast<std::size_t>(j) * p.nx] = static_cast<T>(initial_psi_at(p, seed, i, j));
    return psi;
}

template <class T>
Storage<T> random_omega(const Problem& p, std::uint64_t seed) {
    Storage<T> omega(points(p));
#pragma omp parallel for
    for (std::size_t k = 0; k < omega.size(); ++k)
        omega[k] = static_cast<T>(random_omega_at(seed, k));
    return omega;
}

template <class T>
double rounding_bound(int sweeps, double psi_max, double source_max) {
    return 2.5 * std::numeric_limits<T>::epsilon() * sweeps * (psi_max + source_max);
}

template Coefficients<float> coefficients(const Problem&);
template Coefficients<double> coefficients(const Problem&);
template Storage<float> initial_psi(const Problem&, std::uint64_t);
template Storage<double> initial_psi(const Problem&, std::uint64_t);
template Storage<float> random_omega(const Problem&, std::uint64_t);
template Storage<double> random_omega(const Problem&, std::uint64_t);
template double rounding_bound<float>(int, double, double);
template double rounding_bound<double>(int, double, double);

}  // namespace gridmark::jacobi
