#include "kernels/heat/reference.hpp"

#include <algorithm>
#include <utility>

#include "kernels/heat/layout.hpp"
#include "kernels/heat/update.hpp"

namespace gridmark::heat {
namespace {

void reference_step(const Problem& p, const Layout& l, const double* now, const double* beta, double* next) {
    const auto coefficient = coefficients<double>(p);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < p.nz; ++k) {
        for (int j = 0; j < p.ny; ++j) {
            const std::size_t start =
                l.origin() + static_cast<std::size_t>(l.row()) * j + static_cast<std::size_t>(l.plane()) * k;
            const double* const row = beta + p.nx * (j + static_cast<std::size_t>(p.ny) * k);
            for (int i = 0; i < p.nx; ++i) {
                const double* const at = now + start + i;
                next[start + i] = update(coefficient, *at, neighbours(at, 1), neighbours(at, l.row()),
                                         neighbours(at, l.plane()), row[i]);
            }
        }
    }
}

}  // namespace

std::vector<double> reference_solve(const Problem& p, std::span<const double> t0,
                                    std::span<const double> beta, int steps) {
    const Layout layout = tight_layout(p);
    Storage<double> now = store(p, layout, t0), next = now;
    for (int s = 0; s < steps; ++s) {
        reference_step(p, layout, now.data(), beta.data(), next.data());
        std::swap(now, next);
    }
    std::vector<double> result(p.points());
    load<double>(p, layout, now.data(), result);
    return result;
}

template <class T>
std::vector<double> reference_window(const Problem& p, std::span<const T> t0, std::span<const T> beta,
                                     const Extent& begin, const Extent& size, int steps) {
    const int reach = halo * steps;
    const Extent low{std::max(begin.x - reach, 0), std::max(begin.y - reach, 0),
                     std::max(begin.z - reach, 0)};
    Problem part = p;
    part.nx = std::min(begin.x + size.x + reach, p.nx) - low.x;
    part.ny = std::min(begin.y + size.y + reach, p.ny) - low.y;
    part.nz = std::min(begin.z + size.z + reach, p.nz) - low.z;
    const auto cut = [&](std::span<const T> whole) {
        std::vector<double> values;
        values.reserve(part.points());
        for (int z = 0; z < part.nz; ++z)
            for (int y = 0; y < part.ny; ++y) {
                const auto row = whole.subspan(
                    low.x + p.nx * (low.y + y + static_cast<std::size_t>(p.ny) * (low.z + z)), part.nx);
                values.insert(values.end(), row.begin(), row.end());
            }
        return values;
    };
    const std::vector<double> solved = reference_solve(part, cut(t0), cut(beta), steps);
    std::vector<double> window;
    for (int z = begin.z - low.z; z < begin.z - low.z + size.z; ++z)
        for (int y = begin.y - low.y; y < begin.y - low.y + size.y; ++y) {
            const auto row =
                solved.begin() + begin.x - low.x + part.nx * (y + static_cast<std::ptrdiff_t>(part.ny) * z);
            window.insert(window.end(), row, row + size.x);
        }
    return window;
}

template std::vector<double> reference_window(const Problem&, std::span<const float>, std::span<const float>,
                                              const Extent&, const Extent&, int);
template std::vector<double> reference_window(const Problem&, std::span<const double>,
                                              std::span<const double>, const Extent&, const Extent&, int);

}  // namespace gridmark::heat
