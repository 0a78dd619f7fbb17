#include "kernels/maxwell/faces.hpp"

namespace gridmark::maxwell {
namespace {

/// The face at node plane x, whose ghosts lie in plane `to`.
template <class T>
void set_x_face(const Arrays<T>& a, const Wave<T>& wave, T side, int x, int to, int threads) {
    const Layout& l = a.layout;
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int y = 0; y < l.n[1]; ++y) {
        const T *const ey = a.e.row(l, 1, x, y), *const ez = a.e.row(l, 2, x, y);
        T *const hy = a.h.row(l, 1, to, y), *const hz = a.h.row(l, 2, to, y);
        for (int z = 0; z < l.n[2]; ++z) {
            if (y > 0) hz[z] = ghost_hz_at_x(side, ey[z], wave.e[1][z]);
            if (z > 0) hy[z] = ghost_hy_at_x(side, ez[z], wave.h[0][z]);
        }
    }
}

/// In plane x, the face at node row y, whose ghosts lie in row `to`.
template <class T>
void set_y_face(const Arrays<T>& a, const Wave<T>& wave, T side, int x, int y, int to) {
    const Layout& l = a.layout;
    const T *const ex = a.e.row(l, 0, x, y), *const ez = a.e.row(l, 2, x, y);
    T *const hx = a.h.row(l, 0, x, to), *const hz = a.h.row(l, 2, x, to);
    for (int z = 0; z < l.n[2]; ++z) {
        if (x > 0) hz[z] = ghost_hz_at_y(side, ex[z], wave.e[0][z]);
        if (z > 0) hx[z] = ghost_hx_at_y(side, ez[z], wave.h[1][z]);
    }
}

}  // namespace

template <class T>
void add_current(const Arrays<T>& a, const Drive& drive, int x0, int x1, int threads) {
    const Layout& l = a.layout;
    const T along_x = static_cast<T>(current(drive, 0)), along_y = static_cast<T>(current(drive, 1));
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int x = x0; x < x1; ++x)
        for (int y = 0; y < l.n[1]; ++y) {
            if (x > 0) *a.e.row(l, 0, x, y) += along_x;
            if (y > 0) *a.e.row(l, 1, x, y) += along_y;
        }
}

template <class T>
void set_ghosts(const Arrays<T>& a, const Wave<T>& wave, int x0, int x1, int threads) {
    const Layout& l = a.layout;
    const int ny = l.n[1], nz = l.n[2], last = l.n[0] - 1;
    if (x0 == 0) set_x_face(a, wave, T(-1), 0, 0, threads);
    if (x1 > last) set_x_face(a, wave, T(1), last, last + 1, threads);
#pragma omp parallel for num_threads(threads) schedule(static)
    for (int x = x0; x < x1; ++x) {
        set_y_face(a, wave, T(-1), x, 0, 0);
        set_y_face(a, wave, T(1), x, ny - 1, ny);
        for (int y = 0; y < ny; ++y) {
            const T *const ex = a.e.row(l, 0, x, y), *const ey = a.e.row(l, 1, x, y);
            T *const hx = a.h.row(l, 0, x, y), *const hy = a.h.row(l, 1, x, y);
            if (x > 0) hy[0] = ghost_hy_at_z(T(-1), ex[0]);
            if (x > 0) hy[nz] = ghost_hy_at_z(T(1), ex[nz - 1]);
            if (y > 0) hx[0] = ghost_hx_at_z(T(-1), ey[0]);
            if (y > 0) hx[nz] = ghost_hx_at_z(T(1), ey[nz - 1]);
        }
    }
}

template <class T>
void ghosts_of_faces(const Layout& l, const Wave<T>& wave, T* packed, int threads) {
    for (int axis = 0; axis < 3; ++axis)
        for (int high = 0; high < 2; ++high) {
            const int slow = face_slow(l, axis), fast = face_fast(l, axis);
            T* const first = packed + face_offset(l, axis, high);
            T* const second = first + static_cast<std::size_t>(slow) * fast;
            const T side = high == 0 ? T(-1) : T(1);
#pragma omp parallel for num_threads(threads) schedule(static)
            for (int i = 0; i < slow; ++i)
                for (int k = 0; k < fast; ++k) {
                    const std::size_t at = static_cast<std::size_t>(i) * fast + k;
                    const auto ghosts = face_ghosts(axis, side, first[at], second[at], wave, k);
                    first[at] = ghosts.first;
                    second[at] = ghosts.second;
                }
        }
}

#define GRIDMARK_INSTANTIATE(T)                                               \
    template void ghosts_of_faces(const Layout&, const Wave<T>&, T*, int);    \
    template void add_current(const Arrays<T>&, const Drive&, int, int, int); \
    template void set_ghosts(const Arrays<T>&, const Wave<T>&, int, int, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell
