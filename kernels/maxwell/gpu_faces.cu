// Current, incident wave and ghosts on the device: what faces.cpp and source.cpp do on the CPU. The source's
// state lies on the device as well, so that a step's launches are always the same and a graph can replay
// them.
#include "kernels/launch/kernel.hpp"
#include "kernels/maxwell/gpu.hpp"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace faces {

constexpr int most_threads = 1024, warp = 32;

/// A thread for each of 2-D points, fastest along the first.
struct Tiles {
    static constexpr launch::Dim3 block{32, 8, 1};
    static launch::Shape shape(int fast, int slow) {
        const auto blocks = [](int n, unsigned by) { return (static_cast<unsigned>(n) + by - 1) / by; };
        return {{blocks(fast, block.x), blocks(slow, block.y), 1}, block};
    }
    __device__ static int slow() { return blockIdx.y * block.y + threadIdx.y; }
    __device__ static int fast() { return blockIdx.x * block.x + threadIdx.x; }
    __device__ static int stride() { return gridDim.x * block.x; }
};
/// As published: a block for each row of points. Longer rows than a block has threads take several turns.
struct Rows {
    static launch::Shape shape(int fast, int slow) {
        const int turns = (fast + most_threads - 1) / most_threads;
        const int threads = ((fast + turns - 1) / turns + warp - 1) / warp * warp;
        return {{static_cast<unsigned>(slow), 1, 1}, {static_cast<unsigned>(threads), 1, 1}};
    }
    __device__ static int slow() { return blockIdx.x; }
    __device__ static int fast() { return threadIdx.x; }
    __device__ static int stride() { return blockDim.x; }
};

template <class T, class Map>
__global__ void current_kernel(Arrays<T> a, const Drive* drive) {
    const Layout& l = a.layout;
    const int x = Map::slow();
    if (x >= l.n[0]) return;
    for (int y = Map::fast(); y < l.n[1]; y += Map::stride()) {
        if (x > 0) *a.e.row(l, 0, x, y) += static_cast<T>(current(*drive, 0));
        if (y > 0) *a.e.row(l, 1, x, y) += static_cast<T>(current(*drive, 1));
    }
}

/// One block: its barriers stand between the wave's half steps.
template <class T>
__global__ void wave_kernel(Wave<T> w, Drive* drive, const T* half, const T* node, T dct) {
    const int first = threadIdx.x, stride = blockDim.x;
    for (int p = 0; p < 2; ++p)
        for (int k = first; k < w.n; k += stride) {
            const T e = k == 0 ? w.e[p][0] + static_cast<T>(current(*drive, p)) : w.e[p][k];
            w.e[p][k] = next_wave_e(p, e, w.h[p][k], w.h[p][k + 1], half[k], dct);
        }
    __syncthreads();
    for (int p = 0; p < 2; ++p)
        for (int k = first; k <= w.n; k += stride)
            w.h[p][k] = k == 0     ? static_cast<T>(-hand(p)) * w.e[p][0]
                        : k == w.n ? static_cast<T>(hand(p)) * w.e[p][w.n - 1]
                                   : next_wave_h(p, w.h[p][k], w.e[p][k - 1], w.e[p][k], node[k], dct);
    if (first == 0) *drive = advanced(*drive);
}

template <class T, class Map>
__global__ void x_kernel(Arrays<T> a, Wave<T> wave) {
    const Layout& l = a.layout;
    const int y = Map::slow(), last = l.n[0] - 1;
    if (y >= l.n[1]) return;
    for (int z = Map::fast(); z < l.n[2]; z += Map::stride()) {
        const T wave_ey = wave.e[1][z], wave_hy = wave.h[0][z];
        if (y > 0) {
            a.h.row(l, 2, 0, y)[z] = ghost_hz_at_x(T(-1), a.e.row(l, 1, 0, y)[z], wave_ey);
            a.h.row(l, 2, last + 1, y)[z] = ghost_hz_at_x(T(1), a.e.row(l, 1, last, y)[z], wave_ey);
        }
        if (z > 0) {
            a.h.row(l, 1, 0, y)[z] = ghost_hy_at_x(T(-1), a.e.row(l, 2, 0, y)[z], wave_hy);
            a.h.row(l, 1, last + 1, y)[z] = ghost_hy_at_x(T(1), a.e.row(l, 2, last, y)[z], wave_hy);
        }
    }
}

template <class T, class Map>
__global__ void y_kernel(Arrays<T> a, Wave<T> wave) {
    const Layout& l = a.layout;
    const int x = Map::slow(), last = l.n[1] - 1;
    if (x >= l.n[0]) return;
    for (int z = Map::fast(); z < l.n[2]; z += Map::stride()) {
        const T wave_ex = wave.e[0][z], wave_hx = wave.h[1][z];
        if (x > 0) {
            a.h.row(l, 2, x, 0)[z] = ghost_hz_at_y(T(-1), a.e.row(l, 0, x, 0)[z], wave_ex);
            a.h.row(l, 2, x, last + 1)[z] = ghost_hz_at_y(T(1), a.e.row(l, 0, x, last)[z], wave_ex);
        }
        if (z > 0) {
            a.h.row(l, 0, x, 0)[z] = ghost_hx_at_y(T(-1), a.e.row(l, 2, x, 0)[z], wave_hx);
            a.h.row(l, 0, x, last + 1)[z] = ghost_hx_at_y(T(1), a.e.row(l, 2, x, last)[z], wave_hx);
        }
    }
}

template <class T, class Map>
__global__ void z_kernel(Arrays<T> a) {
    const Layout& l = a.layout;
    const int x = Map::slow(), last = l.n[2] - 1;
    if (x >= l.n[0]) return;
    for (int y = Map::fast(); y < l.n[1]; y += Map::stride()) {
        const T *const ex = a.e.row(l, 0, x, y), *const ey = a.e.row(l, 1, x, y);
        T *const hx = a.h.row(l, 0, x, y), *const hy = a.h.row(l, 1, x, y);
        if (x > 0) {
            hy[0] = ghost_hy_at_z(T(-1), ex[0]);
            hy[last + 1] = ghost_hy_at_z(T(1), ex[last]);
        }
        if (y > 0) {
            hx[0] = ghost_hx_at_z(T(-1), ey[0]);
            hx[last + 1] = ghost_hx_at_z(T(1), ey[last]);
        }
    }
}

/// One value of a face: where it lies in the buffer and in the arrays.
struct FaceValue {
    std::size_t packed;
    int component, at[3];
    bool in_face;  ///< the component has a value there: none stands before the first node along itself
};

/// Value i of the face across an axis; `high`, and which of its two components. H's ghosts lie one behind the
/// last node.
__device__ inline FaceValue face_value(const Layout& l, int axis, int high, int which, int slow, int fast,
                                       bool of_h) {
    const int first = axis == 0 ? 1 : 0, second = axis == 2 ? 1 : 2;
    FaceValue v{};
    const std::size_t values = static_cast<std::size_t>(face_slow(l, axis)) * face_fast(l, axis);
    v.packed = face_offset(l, axis, high) + which * values +
               static_cast<std::size_t>(slow) * face_fast(l, axis) + fast;
    v.component = which == 0 ? first : second;
    v.at[axis] = high == 0 ? 0 : l.n[axis] - (of_h ? 0 : 1);
    v.at[first] = slow;
    v.at[second] = fast;
    // A ghost of H along one axis comes from E along the other.
    const int e_along = of_h ? (which == 0 ? second : first) : v.component;
    v.in_face = v.at[e_along] > 0;
    return v;
}

template <class T, bool packs>
__global__ void copy_faces_kernel(Arrays<T> a, T* packed) {
    const Layout& l = a.layout;
    const int axis = blockIdx.z / 4, high = blockIdx.z / 2 % 2, which = blockIdx.z % 2;
    const int slow = Tiles::slow(), fast = Tiles::fast();
    if (slow >= face_slow(l, axis) || fast >= face_fast(l, axis)) return;
    const FaceValue v = face_value(l, axis, high, which, slow, fast, !packs);
    if constexpr (packs)
        packed[v.packed] = a.e.row(l, v.component, v.at[0], v.at[1])[v.at[2]];
    else if (v.in_face)
        a.h.row(l, v.component, v.at[0], v.at[1])[v.at[2]] = packed[v.packed];
}

template <class T, bool packs>
void copy_faces(launch::Stream stream, const Arrays<T>& a, T* packed) {
    const int* const n = a.layout.n;
    launch::Shape shape = Tiles::shape(max(n[1], n[2]), max(n[0], n[1]));
    shape.grid.z = 12;
    launch::launch(stream, shape, copy_faces_kernel<T, packs>, a, packed);
}

template <class T, class Map>
void set_ghosts(launch::Stream stream, const Arrays<T>& a, const Wave<T>& wave) {
    const int* const n = a.layout.n;
    launch::launch(stream, Map::shape(n[2], n[1]), x_kernel<T, Map>, a, wave);
    launch::launch(stream, Map::shape(n[2], n[0]), y_kernel<T, Map>, a, wave);
    launch::launch(stream, Map::shape(n[1], n[0]), z_kernel<T, Map>, a);
}

}  // namespace faces

template <class T>
void add_current_gpu(launch::Stream stream, const Arrays<T>& a, Faces how, const Drive* drive) {
    const int* const n = a.layout.n;
    if (how == Faces::rows)
        launch::launch(stream, faces::Rows::shape(n[1], n[0]), faces::current_kernel<T, faces::Rows>, a,
                       drive);
    else
        launch::launch(stream, faces::Tiles::shape(n[1], n[0]), faces::current_kernel<T, faces::Tiles>, a,
                       drive);
}

template <class T>
void advance_wave_gpu(launch::Stream stream, const Wave<T>& wave, Drive* drive, const T* half, const T* node,
                      T dct) {
    constexpr unsigned threads = 512;
    launch::launch(stream, {{1, 1, 1}, {threads, 1, 1}}, faces::wave_kernel<T>, wave, drive, half, node, dct);
}

template <class T>
void set_ghosts_gpu(launch::Stream stream, const Arrays<T>& a, Faces how, const Wave<T>& wave) {
    if (how == Faces::rows)
        faces::set_ghosts<T, faces::Rows>(stream, a, wave);
    else
        faces::set_ghosts<T, faces::Tiles>(stream, a, wave);
}

template <class T>
void pack_faces_gpu(launch::Stream stream, const Arrays<T>& a, T* packed) {
    faces::copy_faces<T, true>(stream, a, packed);
}
template <class T>
void unpack_faces_gpu(launch::Stream stream, const Arrays<T>& a, const T* packed) {
    faces::copy_faces<T, false>(stream, a, const_cast<T*>(packed));  // which it only reads
}

#define GRIDMARK_INSTANTIATE(T)                                                                    \
    template void add_current_gpu(launch::Stream, const Arrays<T>&, Faces, const Drive*);          \
    template void advance_wave_gpu(launch::Stream, const Wave<T>&, Drive*, const T*, const T*, T); \
    template void set_ghosts_gpu(launch::Stream, const Arrays<T>&, Faces, const Wave<T>&);         \
    template void pack_faces_gpu(launch::Stream, const Arrays<T>&, T*);                            \
    template void unpack_faces_gpu(launch::Stream, const Arrays<T>&, const T*);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
