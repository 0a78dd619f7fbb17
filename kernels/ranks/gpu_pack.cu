#include "kernels/launch/kernel.hpp"
#include "kernels/ranks/exchange.hpp"

namespace gridmark::ranks::GRIDMARK_EXECUTOR {
namespace {

constexpr unsigned threads = 128;

/// A thread a value. Faces across axis 0 are one or two values wide, so that threads go along the packed
/// values.
template <class T, Way way>
__global__ void copy_kernel(PackedBox<T> box) {
    const std::size_t at = std::size_t{blockIdx.x} * threads + threadIdx.x;
    const std::size_t row = box.size[0], plane = row * box.size[1];
    if (at >= plane * box.size[2]) return;
    const std::size_t z = at / plane, y = at % plane / row, x = at % row;
    T& value = box.field[static_cast<std::ptrdiff_t>(x) * box.stride[0] +
                         static_cast<std::ptrdiff_t>(y) * box.stride[1] +
                         static_cast<std::ptrdiff_t>(z) * box.stride[2]];
    if (way == Way::out)
        box.packed[at] = value;
    else
        value = box.packed[at];
}

}  // namespace

template <class T>
void copy_packed(launch::Stream stream, const PackedBox<T>& box, Way way) {
    const std::size_t values = std::size_t{1} * box.size[0] * box.size[1] * box.size[2];
    if (values == 0) return;
    const launch::Shape shape{{static_cast<unsigned>((values + threads - 1) / threads)}, {threads}};
    launch::launch(stream, shape, way == Way::out ? copy_kernel<T, Way::out> : copy_kernel<T, Way::in>, box);
}

template void copy_packed(launch::Stream, const PackedBox<float>&, Way);
template void copy_packed(launch::Stream, const PackedBox<double>&, Way);

}  // namespace gridmark::ranks::GRIDMARK_EXECUTOR
