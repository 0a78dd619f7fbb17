#pragma once

#include <optional>
#include <span>

#include "kernels/launch/dispatch.hpp"
#include "kernels/launch/kernel_info.hpp"
#include "kernels/launch/texture.hpp"

namespace gridmark::launch_tests {

/// Weights of a five-point stencil.
template <class T>
struct Weights {
    T centre, x, y;
};

/// What stencil.cu and friends compute, written once: a serial loop and the kernels must agree to the last
/// bit, so the order of the operations is part of it.
template <class T>
constexpr T five_points(const Weights<T>& w, T centre, T west, T east, T north, T south) {
    return w.centre * centre + (w.x * (west + east) + w.y * (north + south));
}

/// A block of the 2-D kernels and of the 3-D one.
inline constexpr int tile_x = 16;
inline constexpr int tile_y = 8;

/// Sixteen bytes.
struct alignas(16) Wide {
    double first, second;
    bool operator==(const Wide&) const = default;
};

// clang-format off
GRIDMARK_BOTH_EXECUTORS(
    // async_copy.cu: each row of 64 values reversed; a row of 64 of which the odd ones are zeros instead.
    void reverse_rows(launch::Stream, const float* from, float* to, int rows);
    void reverse_double_rows(launch::Stream, const double* from, double* to, int rows);
    void reverse_wide_rows(launch::Stream, const Wide* from, Wide* to, int rows);
    void copy_even_values(launch::Stream, const float* from, float* to);
    void copy_even_doubles(launch::Stream, const double* from, double* to);
    void copy_even_wide(launch::Stream, const Wide* from, Wide* to);
    // stencil.cu: a step on an nx times ny grid, zero outside; the tile in static or dynamic shared memory.
    void stencil_static(launch::Stream, const Weights<float>&, const float* from, float* to, int nx, int ny);
    void stencil_dynamic(launch::Stream, const Weights<float>&, const float* from, float* to, int nx, int ny);
    void stencil_static_double(launch::Stream, const Weights<double>&, const double* from,
                               double* to, int nx, int ny);
    void stencil_dynamic_double(launch::Stream, const Weights<double>&, const double* from,
                                double* to, int nx, int ny);
    // warp.cu: inclusive prefix sums of each block's part; the sum of each warp in every lane; the lane
    // `delta` further or before; one lane's value everywhere; sums of 16 lanes beside sums of pairs.
    void prefix_sum(launch::Stream, const double* from, double* to, int n, unsigned block);
    void warp_sums(launch::Stream, const long long* from, long long* to, unsigned warps);
    void shift_down(launch::Stream, const int* from, int* to, unsigned delta, int width);
    void shift_up(launch::Stream, const int* from, int* to, unsigned delta, int width);
    void broadcast(launch::Stream, const float* from, float* to, int source);
    void split_warp(launch::Stream, unsigned* to);
    // grid.cu: where each thread stands on a 3-D grid of 3-D blocks; arguments, limits and words of CUDA.
    void indices(launch::Stream, unsigned* to, launch::Dim3 grid, launch::Dim3 block);
    void convert(launch::Stream, double* to);
    void count_words(launch::Stream, unsigned* to, std::size_t words, bool allow);
    void many_words(launch::Stream, std::size_t dynamic_bytes);
    void empty(launch::Stream, launch::Dim3 grid, launch::Dim3 block);
    std::optional<launch::KernelInfo> prefix_sum_info(unsigned block);
    void vectors(launch::Stream, double* to);
    // texture.cu: every value of a texture and `rim` points around it.
    void fetch_floats(launch::Stream, const launch::Texture3View<float>&, float* to, int rim);
    void fetch_doubles(launch::Stream, const launch::Texture3View<double>&, double* to, int rim);
    // cooperative.cu: blocks that wait for each other. Each holds a value; a step replaces it by the mean of its
    // neighbours' on a ring. The state lies twice in `values`, the second time for every other step; `flags` holds a
    // flag a block, `epochs` the number of the last message of each.
    void ring_by_flags(launch::Stream, double* values, unsigned* flags, unsigned* epochs, unsigned blocks,
                       unsigned threads, int steps);
    void ring_by_messages(launch::Stream, double* values, unsigned long long* messages, unsigned* epochs, unsigned blocks,
                         unsigned threads, int steps);
    int ring_blocks(unsigned threads);
    // cost.cu: no barrier, and two barriers `times` times.
    void add_one(launch::Stream, float* values, unsigned blocks, unsigned threads);
    void rotate(launch::Stream, float* values, unsigned blocks, unsigned threads, int times);
)

/// faults.cu: kernels with a mistake each. On a GPU they would give wrong answers or worse, so tests run them on
/// the host only; those of both are for bad_kernels.cpp.
GRIDMARK_BOTH_EXECUTORS(
    void reverse_without_barrier(launch::Stream, float* values, unsigned threads);
    void barriers_of_half_warps(launch::Stream, float* values, unsigned threads);
    void write_global(launch::Stream, float* to, int index);
    void neighbour_in_place(launch::Stream, float* values, unsigned blocks);
)
// clang-format on
namespace host {
void barrier_for_some(launch::Stream, unsigned threads, unsigned some);
void barrier_more_often_for_some(launch::Stream, unsigned threads, unsigned some);
void barriers_at_two_lines(launch::Stream, unsigned threads);
void shuffle_for_some(launch::Stream, unsigned mask);
void read_unwritten(launch::Stream, float* to);
void reverse_rows_without_wait(launch::Stream, const float* from, float* to, int rows);
void reverse_rows_without_barrier(launch::Stream, const float* from, float* to, int rows);
void write_past_shared(launch::Stream, int index);
void write_past_dynamic(launch::Stream, int index);
void order_of_threads(launch::Stream, unsigned* to, unsigned threads, int rounds);
void throw_in_kernel(launch::Stream, unsigned blocks, bool after_barrier);
void deep_stack(launch::Stream, int levels, float* to);
void ring_without_waiting(launch::Stream, double* values, unsigned* flags, unsigned* epochs, unsigned blocks,
                          int steps);
void ring_without_signal(launch::Stream, double* values, unsigned* flags, unsigned* epochs, unsigned blocks,
                         int steps);
void ring_without_release(launch::Stream, double* values, unsigned* flags, unsigned* epochs, unsigned blocks,
                          int steps);
void ring_without_acquire(launch::Stream, double* values, unsigned* flags, unsigned* epochs, unsigned blocks,
                          int steps);
/// No kernels: one operating system thread tells another one so many values, each once in memory with a flag
/// and once in a message; memory of zeros, and two words a message. Returns how many values came wrong.
void tell_thread(std::span<double> values, std::span<unsigned> flags, std::span<unsigned long long> words);
int hear_thread(std::span<const double> values, std::span<const unsigned> flags,
                std::span<const unsigned long long> words);
void wait_alone(launch::Stream, unsigned* flag, unsigned blocks, bool cooperative);
void throw_while_others_wait(launch::Stream, unsigned* flag, unsigned blocks);
int line_of_wait();
int line_of_wait_alone();
int line_of_barrier_for_some();
int line_of_first_barrier();
int line_of_second_barrier();
int line_of_shuffle();
}  // namespace host

}  // namespace gridmark::launch_tests
