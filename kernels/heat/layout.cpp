#include "kernels/heat/layout.hpp"

#include <algorithm>

namespace gridmark::heat {

Layout tight_layout(const Problem& p) {
    return blocked_layout(p, 1, 1, 1);
}

Layout bare_layout(const Problem& p) {
    return {p.nx, p.ny, p.nz, 0, 0, 0};
}

Layout blocked_layout(const Problem& p, int bx, int by, int bz, int side) {
    return {side + round_up(p.nx, bx) + side,
            halo + round_up(p.ny, by) + halo,
            halo + round_up(p.nz, bz) + halo,
            side,
            halo,
            halo};
}

Layout four_cubes_layout(const Problem& p) {
    constexpr int filled = 8;  // 6 filler values and the halo
    return blocked_layout(p, 32, 8, 8, filled);
}

Layout tiles_16x16_layout(const Problem& p) {
    return blocked_layout(p, 12, 12, 12);
}

Layout rectangular_layout(const Problem& p) {
    return blocked_layout(p, 28, 8, 8);
}

Layout aligned_layout(const Problem& p, std::size_t value_bytes) {
    const int line = static_cast<int>(64 / value_bytes);
    return {line + round_up(p.nx + halo, line), p.ny + 2 * halo, p.nz + 2 * halo, line, halo, halo};
}

Layout line_layout(const Problem& p, std::size_t value_bytes) {
    const int line = static_cast<int>(128 / value_bytes);
    return {line + round_up(p.nx, line), p.ny + 2 * halo, p.nz + 2 * halo, line, halo, halo};
}

template <class T>
Storage<T> store(const Problem& p, const Layout& l, std::span<const T> interior) {
    Storage<T> stored(l.size());
    store(p, l, interior, stored.data());
    return stored;
}

template <class T>
void store(const Problem& p, const Layout& l, std::span<const T> interior, T* stored) {
    const T outside = static_cast<T>(p.boundary);
#pragma omp parallel for schedule(static)
    for (int z = 0; z < l.sz; ++z) {
        T* const plane = stored + static_cast<std::size_t>(l.plane()) * z;
        std::fill_n(plane, l.plane(), outside);
        const int k = z - l.z0;
        if (k < 0 || k >= p.nz) continue;
        for (int j = 0; j < p.ny; ++j)
            std::copy_n(interior.data() + p.nx * (j + static_cast<std::size_t>(p.ny) * k), p.nx,
                        plane + l.x0 + static_cast<std::size_t>(l.row()) * (j + l.y0));
    }
}

template <class T>
void load(const Problem& p, const Layout& l, const T* stored, std::span<T> interior) {
#pragma omp parallel for schedule(static)
    for (int k = 0; k < p.nz; ++k)
        for (int j = 0; j < p.ny; ++j)
            std::copy_n(stored + l.origin() + static_cast<std::size_t>(l.row()) * j +
                            static_cast<std::size_t>(l.plane()) * k,
                        p.nx, interior.data() + p.nx * (j + static_cast<std::size_t>(p.ny) * k));
}

template <class T>
void add(const Problem& p, const Layout& l, const T* interior, T* stored, int threads) {
#pragma omp parallel for schedule(static) num_threads(threads)
    for (int k = 0; k < p.nz; ++k)
        for (int j = 0; j < p.ny; ++j) {
            T* const row = stored + l.origin() + static_cast<std::size_t>(l.row()) * j +
                           static_cast<std::size_t>(l.plane()) * k;
            const T* const more = interior + p.nx * (j + static_cast<std::size_t>(p.ny) * k);
            for (int i = 0; i < p.nx; ++i)
                row[i] += more[i];
        }
}

template Storage<float> store(const Problem&, const Layout&, std::span<const float>);
template Storage<double> store(const Problem&, const Layout&, std::span<const double>);
template void store(const Problem&, const Layout&, std::span<const float>, float*);
template void store(const Problem&, const Layout&, std::span<const double>, double*);
template void load(const Problem&, const Layout&, const float*, std::span<float>);
template void load(const Problem&, const Layout&, const double*, std::span<double>);
template void add(const Problem&, const Layout&, const float*, float*, int);
template void add(const Problem&, const Layout&, const double*, double*, int);

}  // namespace gridmark::heat
