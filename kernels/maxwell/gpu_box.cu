// Half steps of a box of a larger grid, for ranks that share it. A thread takes all three components of a
// point; neighbours come from global memory. Parameters are the launch's own: the parts of several ranks may
// live in one process.
#include "kernels/launch/kernel.hpp"
#include "kernels/maxwell/ranks.hpp"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace boxes {

constexpr unsigned threads = 256, widest = 64;

/// Blocks of `width` points along z by as many rows as are left. Faces across z are a plane or two deep:
/// blocks for them are narrow.
launch::Shape shape_of(const ranks::Box& box) {
    unsigned width = widest;
    while (width > 1 && width / 2 >= static_cast<unsigned>(box.size(0)))
        width /= 2;
    const unsigned height = threads / width, tiles = (box.size(0) + width - 1) / width,
                   rows = static_cast<unsigned>(box.size(1)) * box.size(2);
    return {{tiles * ((rows + height - 1) / height)}, {width, height}};
}

/// The thread's point; false if it has none.
__device__ inline bool find_point(const ranks::Box& box, int (&at)[3]) {
    const unsigned width = box.high[0] - box.low[0], columns = box.high[1] - box.low[1],
                   planes = box.high[2] - box.low[2], tiles = (width + blockDim.x - 1) / blockDim.x;
    const unsigned z = blockIdx.x % tiles * blockDim.x + threadIdx.x,
                   row = blockIdx.x / tiles * blockDim.y + threadIdx.y;
    at[0] = box.low[2] + static_cast<int>(row / columns);
    at[1] = box.low[1] + static_cast<int>(row % columns);
    at[2] = box.low[0] + static_cast<int>(z);
    return z < width && row < columns * planes;
}

/// Whether a half step updates component c at an index; `first`: first_e or first_h of it.
__device__ inline bool is_updated(const int (&n)[3], const int (&first)[3], const int (&at)[3]) {
    return at[0] >= first[0] && at[1] >= first[1] && at[2] >= first[2] && at[0] < n[0] && at[1] < n[1] &&
           at[2] < n[2];
}

template <int c, class T>
__device__ inline void advance_e(const BoxStep<T>& s, const int (&at)[3]) {
    constexpr int a = next(c), b = before(c);
    constexpr int first[3] = {first_e(c, 0), first_e(c, 1), first_e(c, 2)};
    if (!is_updated(s.n, first, at)) return;
    const std::ptrdiff_t i = s.offset(at);
    const T *const ha = s.h[a] + i, *const hb = s.h[b] + i;
    const T rot = rotation(hb[0], hb[s.stride(a)], __ldg(s.half[a] + at[a]), ha[0], ha[s.stride(b)],
                           __ldg(s.half[b] + at[b]));
    T e = s.e[c][i];
    if (c < 2 && at[2] == 0) e += static_cast<T>(current(*s.drive, c));
    s.e[c][i] = next_e(e, rot, __ldg(s.eps[c] + i), __ldg(s.sigma[c] + i), s.dct);
}

template <int c, class T>
__device__ inline void advance_h(const BoxStep<T>& s, const int (&at)[3]) {
    constexpr int a = next(c), b = before(c);
    constexpr int first[3] = {first_h(c, 0), first_h(c, 1), first_h(c, 2)};
    const std::ptrdiff_t i = s.offset(at);
    if (!is_updated(s.n, first, at)) {
        const int axis = ghost_axis(s.n, c, at);
        if (axis >= 0) s.h[c][i] = ghost_at(s, c, axis, at);
        return;
    }
    const T *const ea = s.e[a] + i, *const eb = s.e[b] + i;
    const T rot = rotation(eb[-s.stride(a)], eb[0], __ldg(s.node[a] + at[a]), ea[-s.stride(b)], ea[0],
                           __ldg(s.node[b] + at[b]));
    s.h[c][i] = next_h(s.h[c][i], rot, __ldg(s.mu[c] + i), s.dct);
}

template <class T>
__global__ void e_kernel(BoxStep<T> s) {
    int at[3];
    if (!find_point(s.box, at)) return;
    advance_e<0>(s, at);
    advance_e<1>(s, at);
    advance_e<2>(s, at);
}

template <class T>
__global__ void h_kernel(BoxStep<T> s) {
    int at[3];
    if (!find_point(s.box, at)) return;
    advance_h<0>(s, at);
    advance_h<1>(s, at);
    advance_h<2>(s, at);
}

}  // namespace boxes

template <class T>
void advance_e_box(launch::Stream stream, const BoxStep<T>& step) {
    if (!step.box.empty()) launch::launch(stream, boxes::shape_of(step.box), boxes::e_kernel<T>, step);
}

template <class T>
void advance_h_box(launch::Stream stream, const BoxStep<T>& step) {
    if (!step.box.empty()) launch::launch(stream, boxes::shape_of(step.box), boxes::h_kernel<T>, step);
}

#define GRIDMARK_INSTANTIATE(T)                                     \
    template void advance_e_box(launch::Stream, const BoxStep<T>&); \
    template void advance_h_box(launch::Stream, const BoxStep<T>&);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
