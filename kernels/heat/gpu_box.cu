// A step of a box of a larger grid, for ranks that share it. As in gpu_no_shared, a thread marches up one
// column with its five values in registers, and the L1 cache holds the neighbours in x and y, which the
// block's other threads have just read. Here the box may lie anywhere, and offsets have 64 bits: a rank's
// part may hold 2^31 points and more.
#include "kernels/heat/ranks.hpp"
#include "kernels/heat/update.hpp"
#include "kernels/launch/kernel.hpp"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace {

constexpr int block_threads = 256, widest = 32;
constexpr int layers = 16;  ///< of a thread

template <class T>
__device__ inline Axis<T> along(const T* at, std::ptrdiff_t stride) {
    return {at[-2 * stride], at[-stride], at[stride], at[2 * stride]};
}

template <class T>
__global__ void box_kernel(BoxStep<T> s) {
    const int x = s.box.low[0] + static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x),
              y = s.box.low[1] + static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y),
              begin = s.box.low[2] + static_cast<int>(blockIdx.z) * layers,
              end = min(begin + layers, s.box.high[2]);
    if (x >= s.box.high[0] || y >= s.box.high[1]) return;
    const std::ptrdiff_t row = s.now.stride[1], plane = s.now.stride[2];
    const T* __restrict__ at = s.now.at(x, y, begin);
    const T* __restrict__ beta = s.beta.at(x, y, begin);
    T* __restrict__ to = s.next.at(x, y, begin);
    T m2 = at[-2 * plane], m1 = at[-plane], centre = *at, p1 = at[plane];
    // Not unrolled: copies of the body could round in different ways, and a point's value would depend on
    // where a box begins.
#pragma unroll 1
    for (int z = begin; z < end; ++z) {
        const T p2 = at[2 * plane];
        *to = update(s.coefficients, centre, along(at, 1), along(at, row), {m2, m1, p1, p2}, *beta);
        m2 = m1, m1 = centre, centre = p1, p1 = p2;
        at += plane, beta += s.beta.stride[2], to += plane;
    }
}

unsigned blocks(int n, unsigned each) {
    return (static_cast<unsigned>(n) + each - 1) / each;
}

}  // namespace

template <class T>
void step_box(launch::Stream stream, const BoxStep<T>& step) {
    if (step.box.empty()) return;
    // A face across x is two points wide, or a few more: a warp then takes several of its rows.
    unsigned width = widest;
    while (width / 2 >= static_cast<unsigned>(step.box.size(0)))
        width /= 2;
    const unsigned height = block_threads / width;
    const launch::Shape shape{
        {blocks(step.box.size(0), width), blocks(step.box.size(1), height), blocks(step.box.size(2), layers)},
        {width, height}};
    launch::launch(stream, shape, box_kernel<T>, step);
}

template void step_box(launch::Stream, const BoxStep<float>&);
template void step_box(launch::Stream, const BoxStep<double>&);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
