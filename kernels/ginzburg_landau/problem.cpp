#include "kernels/ginzburg_landau/problem.hpp"

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>

namespace gridmark::ginzburg_landau {

Problem medium(int n) {
    return medium(n, 0.1, 1, 1, 0.5);
}

Problem medium(int n, double dt, double d, double a, double b) {
    if (n < 2) throw std::invalid_argument("n must be at least 2");
    if (n >= 1 << 30) throw std::invalid_argument("n must be below 2^30");
    if (!(dt > 0) || !std::isfinite(dt)) throw std::invalid_argument("dt must be positive");
    if (!(d > 0) || !std::isfinite(d)) throw std::invalid_argument("d must be positive");
    if (!std::isfinite(d * a)) throw std::invalid_argument("a must be finite");
    if (!std::isfinite(b)) throw std::invalid_argument("b must be finite");
    return {n, dt, d, a, b};
}

double growth_per_step(const Problem& p) {
    constexpr int waves = 1024;
    double most = 0;
    for (int k = 0; k <= waves; ++k) {
        const double s = 4 * p.d * k / waves, half_trace = -1 - s;
        const double determinant = (2 + s) * s + p.a * s * (p.a * s - 2 * p.b);
        const std::complex<double> root =
            std::sqrt(std::complex<double>(half_trace * half_trace - determinant));
        for (const std::complex<double> eigenvalue : {half_trace + root, half_trace - root}) {
            if (eigenvalue.real() > 0) continue;  // grows by itself
            const std::complex<double> z = p.dt * eigenvalue;
            most = std::max(most, std::abs(1.0 + z * (1.0 + z / 2.0 * (1.0 + z / 3.0 * (1.0 + z / 4.0)))));
        }
    }
    return most;
}

}  // namespace gridmark::ginzburg_landau
