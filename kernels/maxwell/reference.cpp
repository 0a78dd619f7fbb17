#include "kernels/maxwell/reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/maxwell/scheme.hpp"

namespace gridmark::maxwell {

template <class T, class C>
Reference<T, C>::Reference(const Problem& problem, const Coefficients<C>& coefficients, int threads)
    : HostSolver<T>(problem, threads), coefficients_(coefficients), fields_(this->arrays_.layout, threads) {
    this->use(fields_.data);
}

template <class T, class C>
void Reference<T, C>::advance_e(int c) {
    const int a = next(c), b = before(c);
    const Arrays<T>& arrays = this->arrays_;
    const Layout& l = arrays.layout;
    const Layout& k = coefficients_.layout;
#pragma omp parallel for num_threads(this->threads_) schedule(static)
    for (int x = first_e(c, 0); x < l.n[0]; ++x)
        for (int y = first_e(c, 1); y < l.n[1]; ++y) {
            // H's component, here (-1) or one further along an axis.
            const auto h = [&](int component, int axis) {
                return arrays.h.row(l, component, x + (axis == 0), y + (axis == 1)) + (axis == 2);
            };
            const T *const b_low = h(b, -1), *const b_high = h(b, a);
            const T *const a_low = h(a, -1), *const a_high = h(a, b);
            const std::size_t row = k.plane() * x + static_cast<std::size_t>(y) * k.pitch;
            const C *const eps = coefficients_.eps[c].data() + row, *const sigma =
                                                                        coefficients_.sigma[c].data() + row;
            T* const e = arrays.e.row(l, c, x, y);
            for (int z = first_e(c, 2); z < l.n[2]; ++z) {
                const int at[3] = {x, y, z};
                const T rot = rotation(b_low[z], b_high[z], arrays.half[a][at[a]], a_low[z], a_high[z],
                                       arrays.half[b][at[b]]);
                e[z] = next_e(e[z], rot, static_cast<T>(eps[z]), static_cast<T>(sigma[z]), arrays.dct);
            }
        }
}

template <class T, class C>
void Reference<T, C>::advance_h(int c) {
    const int a = next(c), b = before(c);
    const Arrays<T>& arrays = this->arrays_;
    const Layout& l = arrays.layout;
    const Layout& k = coefficients_.layout;
#pragma omp parallel for num_threads(this->threads_) schedule(static)
    for (int x = first_h(c, 0); x < l.n[0]; ++x)
        for (int y = first_h(c, 1); y < l.n[1]; ++y) {
            // E's component, here (-1) or one back along an axis.
            const auto e = [&](int component, int axis) {
                return arrays.e.row(l, component, x - (axis == 0), y - (axis == 1)) - (axis == 2);
            };
            const T *const b_low = e(b, a), *const b_high = e(b, -1);
            const T *const a_low = e(a, b), *const a_high = e(a, -1);
            const C* const mu =
                coefficients_.mu[c].data() + k.plane() * x + static_cast<std::size_t>(y) * k.pitch;
            T* const h = arrays.h.row(l, c, x, y);
            for (int z = first_h(c, 2); z < l.n[2]; ++z) {
                const int at[3] = {x, y, z};
                const T rot = rotation(b_low[z], b_high[z], arrays.node[a][at[a]], a_low[z], a_high[z],
                                       arrays.node[b][at[b]]);
                h[z] = next_h(h[z], rot, static_cast<T>(mu[z]), arrays.dct);
            }
        }
}

template <class T, class C>
void Reference<T, C>::steps(int count) {
    const int nx = this->nx();
    for (int step = 0; step < count; ++step) {
        add_current(this->arrays_, this->incident_.drive(), 0, nx, this->threads_);
        for (int c = 0; c < 3; ++c)
            advance_e(c);
        for (int c = 0; c < 3; ++c)
            advance_h(c);
        this->incident_.advance();
        set_ghosts(this->arrays_, this->incident_.wave(), 0, nx, this->threads_);
    }
}

template class Reference<float>;
template class Reference<double>;
template class Reference<double, float>;

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
        std::max(std::abs(problem.source.along[0].amplitude), std::abs(problem.source.along[1].amplitude));
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
