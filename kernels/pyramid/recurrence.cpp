#include "kernels/pyramid/recurrence.hpp"

#include <cmath>
#include <limits>

#include "kernels/pyramid/problem.hpp"

namespace gridmark::pyramid {

template <class T, int run>
Ratios<T, run> ratios_of(double s) {
    Ratios<T, run> ratios{};
    ratios.point = static_cast<T>(decay(s));
    // From lambda as it was rounded: an error of the scale would multiply the field in every step.
    const auto lambda = static_cast<double>(ratios.point), whole = std::pow(lambda, run);
    ratios.scale = static_cast<T>((1 - lambda) * (1 - lambda));
    for (int k = 0; k < run; ++k)
        ratios.power[k] = static_cast<T>(std::pow(lambda, k + 1));
    for (int k = 0; k < 5; ++k)
        ratios.runs[k] = static_cast<T>(std::pow(whole, 1 << k));
    ratios.warp = static_cast<T>(std::pow(whole, 32));
    return ratios;
}

template <class T>
int reach_of(double s) {
    const double points = std::ceil(std::log(std::numeric_limits<T>::epsilon() / 8) / std::log(decay(s)));
    return (static_cast<int>(points) + 3) / 4 * 4;
}

template Ratios<float, 4> ratios_of(double);
template Ratios<float, 8> ratios_of(double);
template Ratios<float, 16> ratios_of(double);
template Ratios<double, 4> ratios_of(double);
template Ratios<double, 8> ratios_of(double);
template Ratios<double, 16> ratios_of(double);
template int reach_of<float>(double);
template int reach_of<double>(double);

}  // namespace gridmark::pyramid
