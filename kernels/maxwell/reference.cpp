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
    const Layout& k = coefficients_.layout;
    const int* const n = this->arrays_.layout.n;
#pragma omp parallel for num_threads(this->threads_) schedule(static)
    for (int x = first_e(c, 0); x < n[0]; ++x)
        for (int y = first_e(c, 1); y < n[1]; ++y)
            for (int z = first_e(c, 2); z < n[2]; ++z) {
                const int i[3] = {x, y, z};
                // H's component, here (-1) or one further along an axis.
                const auto h = [&](int component, int axis) {
                    return this->row(3 + component, x + (axis == 0), y + (axis == 1))[z + (axis == 2)];
                };
                const T rot = rotation(h(b, -1), h(b, a), this->spacings_[a].half[i[a]], h(a, -1), h(a, b),
                                       this->spacings_[b].half[i[b]]);
                const std::size_t at = k.plane() * x + static_cast<std::size_t>(y) * k.pitch + z;
                T& e = this->row(c, x, y)[z];
                e = next_e(e, rot, static_cast<T>(coefficients_.eps[c][at]),
                           static_cast<T>(coefficients_.sigma[c][at]), this->arrays_.dct);
            }
}

template <class T, class C>
void Reference<T, C>::advance_h(int c) {
    const int a = next(c), b = before(c);
    const Layout& k = coefficients_.layout;
    const int* const n = this->arrays_.layout.n;
#pragma omp parallel for num_threads(this->threads_) schedule(static)
    for (int x = first_h(c, 0); x < n[0]; ++x)
        for (int y = first_h(c, 1); y < n[1]; ++y)
            for (int z = first_h(c, 2); z < n[2]; ++z) {
                const int i[3] = {x, y, z};
                // E's component, here (-1) or one back along an axis.
                const auto e = [&](int component, int axis) {
                    return this->row(component, x - (axis == 0), y - (axis == 1))[z - (axis == 2)];
                };
                const T rot = rotation(e(b, a), e(b, -1), this->spacings_[a].node[i[a]], e(a, b), e(a, -1),
                                       this->spacings_[b].node[i[b]]);
                const std::size_t at = k.plane() * x + static_cast<std::size_t>(y) * k.pitch + z;
                T& h_here = this->row(3 + c, x, y)[z];
                h_here = next_h(h_here, rot, static_cast<T>(coefficients_.mu[c][at]), this->arrays_.dct);
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
