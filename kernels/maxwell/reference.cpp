#include "kernels/maxwell/reference.hpp"

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

}  // namespace gridmark::maxwell
