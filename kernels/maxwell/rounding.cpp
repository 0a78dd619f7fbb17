#include "kernels/maxwell/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gridmark::maxwell {
namespace {

/// Roundings of a half step, those of its coefficients and inverse spacings among them.
constexpr double roundings = 16;

/// The largest inverse spacings of two axes together: a rotation takes a difference along each.
struct Inverses {
    double half = 0, node = 0;
};

Inverses largest_inverses(const Grid& grid) {
    double half[3] = {}, node[3] = {};
    for (int axis = 0; axis < 3; ++axis) {
        const auto inverse = inverse_spacings<double>(grid.nodes[axis]);
        half[axis] = *std::max_element(inverse.half.begin(), inverse.half.end());
        node[axis] = *std::max_element(inverse.node.begin(), inverse.node.end());
    }
    const auto of_two = [](const double(&v)[3]) { return std::max({v[0] + v[1], v[1] + v[2], v[2] + v[0]}); };
    return {of_two(half), of_two(node)};
}

/// The most that a field can be, and be off.
struct Bound {
    double value, error;
};

/// A half step: the other field's differences, each of two values, times `factor`, are added.
Bound advanced_bound(const Bound& field, const Bound& other, double factor, double unit) {
    const double value = field.value + 2 * factor * other.value;
    return {value, field.error + 2 * factor * other.error + roundings * unit * value};
}

Bound larger(const Bound& a, const Bound& b) {
    return {std::max(a.value, b.value), std::max(a.error, b.error)};
}

}  // namespace

template <class T>
double rounding_bound(const Problem& problem, const Body& body, int steps, double largest) {
    constexpr double unit = std::numeric_limits<T>::epsilon() / 2;
    const Inverses inverse = largest_inverses(problem.grid);
    double eps = 1, mu = 1;  // of the wave's vacuum
    for (const Material& m : body.materials) {
        eps = std::min(eps, m.eps);
        mu = std::min(mu, m.mu);
    }
    const double current =
        2 * problem.dct / half_distance(problem.grid.nodes[2], 0) *
        std::max(std::abs(problem.source.amplitude[0]), std::abs(problem.source.amplitude[1]));
    Bound e{largest, 0}, h = e, wave_e{0, 0}, wave_h{0, 0};
    for (int step = 0; step < steps; ++step) {
        for (Bound* const field : {&e, &wave_e}) {
            field->value += current;
            field->error += 2 * unit * field->value;
        }
        e = advanced_bound(e, h, problem.dct / eps * inverse.half, unit);
        h = advanced_bound(h, e, problem.dct / mu * inverse.node, unit);
        wave_e = advanced_bound(wave_e, wave_h, problem.dct * inverse.half, unit);
        wave_h = larger(advanced_bound(wave_h, wave_e, problem.dct * inverse.node, unit), wave_e);
        // A ghost is a value of E and one of the wave's.
        const Bound wave = larger(wave_e, wave_h);
        h = larger(h, {e.value + wave.value, e.error + wave.error + 2 * unit * (e.value + wave.value)});
    }
    return std::max(e.error, h.error);
}

template double rounding_bound<float>(const Problem&, const Body&, int, double);
template double rounding_bound<double>(const Problem&, const Body&, int, double);

}  // namespace gridmark::maxwell
