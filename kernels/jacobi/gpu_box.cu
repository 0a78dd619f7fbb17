// A sweep of a box of a larger grid, for ranks that share it. A thread takes points of one column, below each
// other; neighbours come from global memory, as in gpu_no_shared.
#include "kernels/jacobi/ranks.hpp"
#include "kernels/jacobi/update.hpp"
#include "kernels/launch/kernel.hpp"

namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace {

constexpr unsigned width = 64, height = 4;
constexpr int rows_each = 4;  ///< of a thread

template <class T>
__global__ void box_kernel(BoxSweep<T> s) {
    const Problem& p = s.problem;
    const int i = s.box.low[0] + static_cast<int>(blockIdx.x * width + threadIdx.x);
    const int first = s.box.low[1] + static_cast<int>((blockIdx.y * height + threadIdx.y) * rows_each);
    if (i >= s.box.high[0] || i == 0) return;
    const std::ptrdiff_t row = s.psi.stride[1];
    for (int j = max(first, 1); j < min(first + rows_each, min(s.box.high[1], p.ny - 1)); ++j) {
        if (i >= p.body.x1 && i <= p.body.x2 && j >= p.body.y1 && j <= p.body.y2) continue;
        const T* const psi = s.psi.at(i, j, 0);
        T* const next = s.next.at(i, j, 0);
        if (i == p.nx - 1)
            *next = psi[-1];
        else
            *next = update(s.coefficients, psi[1], psi[-1], psi[row], psi[-row], *s.omega.at(i, j, 0));
    }
}

}  // namespace

template <class T>
void sweep_box(launch::Stream stream, const BoxSweep<T>& sweep) {
    if (sweep.box.empty()) return;
    const auto blocks = [](int n, unsigned each) { return (static_cast<unsigned>(n) + each - 1) / each; };
    const launch::Shape shape{
        {blocks(sweep.box.size(0), width), blocks(sweep.box.size(1), height * rows_each)}, {width, height}};
    launch::launch(stream, shape, box_kernel<T>, sweep);
}

template void sweep_box(launch::Stream, const BoxSweep<float>&);
template void sweep_box(launch::Stream, const BoxSweep<double>&);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
