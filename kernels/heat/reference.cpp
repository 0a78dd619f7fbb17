#include "kernels/heat/reference.hpp"

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

}  // namespace gridmark::heat
