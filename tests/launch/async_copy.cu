// Rows of 64 values, reversed one after another through a ring in shared memory that the next rows are copied
// to meanwhile; and the same without the wait, or without the barrier, that it needs.

#include "kernels/launch/async_copy.hpp"
#include "tests/launch/kernels.hpp"

namespace gridmark::launch_tests::GRIDMARK_EXECUTOR {
namespace {

constexpr int width = 64, ahead = 2, ring_rows = ahead + 1;

template <class T, bool waits, bool meets>
__global__ void reverse_rows_kernel(const T* from, T* to, int rows) {
    GRIDMARK_SHARED(T, ring, ring_rows * width);
    const int x = static_cast<int>(threadIdx.x);
    const auto copy = [&](int row) {
        if (row < rows) launch::copy_async(ring + row % ring_rows * width + x, from + row * width + x);
        launch::close_copies();
    };
    for (int row = 0; row < ahead; ++row)
        copy(row);
    for (int row = 0; row < rows; ++row) {
        if (waits) launch::wait_for_copies<ahead - 1>();
        if (meets) __syncthreads();
        copy(row + ahead);
        to[row * width + x] = ring[row % ring_rows * width + width - 1 - x];
    }
}

/// A row of which the odd values are not copied: zeros take their place.
template <class T>
__global__ void copy_even_values_kernel(const T* from, T* to) {
    GRIDMARK_SHARED(T, row, width);
    const int x = static_cast<int>(threadIdx.x);
    row[x] = from[0];
    launch::copy_async_if(x % 2 == 0, row + x, x % 2 == 0 ? from + x : from);
    launch::close_copies();
    launch::wait_for_copies<0>();
    to[x] = row[x];
}

template <class T>
void copy_even(launch::Stream stream, const T* from, T* to) {
    launch::launch(stream, {{1}, {width}}, copy_even_values_kernel<T>, from, to);
}

template <class T, bool waits, bool meets>
void reverse(launch::Stream stream, const T* from, T* to, int rows) {
    launch::launch(stream, {{1}, {width}}, reverse_rows_kernel<T, waits, meets>, from, to, rows);
}

}  // namespace

void reverse_rows(launch::Stream stream, const float* from, float* to, int rows) {
    reverse<float, true, true>(stream, from, to, rows);
}
void reverse_double_rows(launch::Stream stream, const double* from, double* to, int rows) {
    reverse<double, true, true>(stream, from, to, rows);
}
void reverse_wide_rows(launch::Stream stream, const Wide* from, Wide* to, int rows) {
    reverse<Wide, true, true>(stream, from, to, rows);
}
void copy_even_values(launch::Stream stream, const float* from, float* to) {
    copy_even<float>(stream, from, to);
}
void copy_even_doubles(launch::Stream stream, const double* from, double* to) {
    copy_even<double>(stream, from, to);
}
void copy_even_wide(launch::Stream stream, const Wide* from, Wide* to) {
    copy_even<Wide>(stream, from, to);
}
void reverse_rows_without_wait(launch::Stream stream, const float* from, float* to, int rows) {
    reverse<float, false, true>(stream, from, to, rows);
}
void reverse_rows_without_barrier(launch::Stream stream, const float* from, float* to, int rows) {
    reverse<float, true, false>(stream, from, to, rows);
}

}  // namespace gridmark::launch_tests::GRIDMARK_EXECUTOR
