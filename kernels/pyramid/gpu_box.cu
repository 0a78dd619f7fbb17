// Sweeps of Crank and Nicolson's step along an axis of a box (box.hpp), in place.
//
// A thread marches along a line. It takes `chunk` values, goes on with the forward recurrence, and keeps the
// last chunk + reach values of it in registers. The backward recurrence begins at their end, as if nothing
// followed: lambda^reach is less than rounding, or than what the caller allows. It gives the first `chunk`
// answers, which replace their right-hand sides. So each value is read once and written once, and the
// right-hand side f = y - lambda y_before need not be kept.
//
// Lines along y and z lie side by side, and so do a warp's loads. Along x a warp has 32 lines, and turns 32
// by 32 values at a time in shared memory. Source: this project.
#include <algorithm>
#include <utility>

#include "kernels/launch/kernel.hpp"
#include "kernels/pyramid/gpu_box.hpp"

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace box {

constexpr int warp = 32, threads = 128;
/// Values that a thread takes at a time.
constexpr int chunk = 16;

/// Places of a line's values, `step` apart. In a ring of `length` the line enters at `first` and may pass the
/// end.
template <class T>
struct Line {
    T* values;
    std::size_t step, first, length;

    __device__ T* at(std::size_t i) const {
        const std::size_t place = first + i;
        return values + (place >= length ? place - length : place) * step;
    }
    __device__ T& operator[](std::size_t i) const { return *at(i); }
    /// Whether a chunk from i on is in one piece.
    __device__ bool holds_chunk(std::size_t i) const {
        const std::size_t place = first + i;
        return place >= length || place + chunk <= length;
    }
};

/// y before a line's first value: f is odd about the zero there, and about the one behind its n values.
template <class T>
__device__ T before_line(const AxisSolve<T>& sweep, const Line<T>& line, std::size_t n) {
    const auto reach = static_cast<std::size_t>(sweep.reach);
    T sum = 0, power = 1;
    for (std::size_t i = 0; i < n && i < reach; ++i, power *= sweep.lambda)
        sum += power * line[i];
    if (n >= reach) return -sweep.lambda * sum;
    for (std::size_t i = n; i-- > 0;) {
        power *= sweep.lambda;
        sum -= power * line[i];
    }
    return -sweep.lambda * sum / (1 - power * sweep.lambda * sweep.lambda);
}

/// The last values of the forward recurrence: y[k] belongs to place i - most + k, y[-1] to `last`.
template <class T, int most>
struct March {
    T last, y[most + chunk];

    __device__ explicit March(T before) : last(0) {
        for (int k = 0; k < most; ++k)
            y[k] = 0;
        y[most - 1] = before;
    }
    /// Goes on with f.
    __device__ void forward(const T (&f)[chunk], T lambda) {
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            y[most + k] = f[k] + lambda * y[most + k - 1];
    }
    /// Answers at the first `chunk` places. Behind the first `left` places all is zero.
    template <bool is_inside>
    __device__ void backward(const AxisSolve<T>& sweep, long long left, T (&x)[chunk]) const {
        T sum = 0;
#pragma unroll
        for (int k = most + chunk - 1; k >= 0; --k) {
            sum = is_inside || k < left ? y[k] + sweep.lambda * sum : T{0};
            if (k < chunk) x[k] = sweep.scale * sum - (y[k] - sweep.lambda * (k > 0 ? y[k - 1] : last));
        }
    }
    __device__ void shift() {
        last = y[chunk - 1];
#pragma unroll
        for (int k = 0; k < most; ++k)
            y[k] = y[k + chunk];
    }
};

/// Lines side by side: thread t of a block has line blockIdx.x * threads + t of layer groups_first +
/// blockIdx.y. `count` values are answered, `ahead` more are read.
template <class T, int most>
__global__ void __launch_bounds__(threads)
    columns_kernel(T* values, std::size_t lines, std::size_t step, std::size_t first, std::size_t length,
                   std::size_t group, std::size_t count, std::size_t ahead, const T* before, T* after,
                   AxisSolve<T> sweep) {
    const std::size_t at = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
    if (at >= lines) return;
    const Line<T> line{values + blockIdx.y * group + at, step, first, length};
    const auto n = static_cast<long long>(count), end = n + static_cast<long long>(ahead);
    March<T, most> march(before != nullptr ? before[at] : before_line(sweep, line, count + ahead));
    for (long long i = 0; i - most < n; i += chunk) {
        T f[chunk], x[chunk];
        const long long first_answer = i - most;
        const auto first_read = static_cast<std::size_t>(i),
                   first_written = static_cast<std::size_t>(first_answer);
        // Nothing to ask about in most of a long line.
        if (first_answer >= 0 && i + chunk <= end && first_answer + chunk < n &&
            line.holds_chunk(first_read) && line.holds_chunk(first_written)) {
            const T* const from = line.at(first_read);
            T* const to = line.at(first_written);
#pragma unroll
            for (int k = 0; k < chunk; ++k)
                f[k] = from[k * step];
            march.forward(f, sweep.lambda);
            march.template backward<true>(sweep, 0, x);
#pragma unroll
            for (int k = 0; k < chunk; ++k)
                to[k * step] = x[k];
        } else {
#pragma unroll
            for (int k = 0; k < chunk; ++k)
                f[k] = i + k < end ? line[static_cast<std::size_t>(i + k)] : T{0};
            march.forward(f, sweep.lambda);
            march.template backward<false>(sweep, end - first_answer, x);
#pragma unroll
            for (int k = 0; k < chunk; ++k) {
                const long long here = first_answer + k;
                if (here >= 0 && here < n) line[static_cast<std::size_t>(here)] = x[k];
                if (after != nullptr && here == n - 1) after[at] = march.y[k];
            }
        }
        march.shift();
    }
}

/// Lines along x: a lane has one of a warp's 32 rows. Half a warp loads `chunk` values of a row.
template <class T, int most>
__global__ void __launch_bounds__(threads)
    rows_kernel(T* values, std::size_t nx, std::size_t rows, AxisSolve<T> sweep) {
    constexpr int at_once = warp / chunk, width = chunk + 1;
    GRIDMARK_SHARED(T, tiles, (threads * width));
    const int lane = threadIdx.x % warp, own = threadIdx.x / warp;
    T* const tile = tiles + own * warp * width;
    const std::size_t begin = static_cast<std::size_t>(blockIdx.x) * threads + own * warp;
    if (begin >= rows) return;
    const int valid = rows - begin < warp ? static_cast<int>(rows - begin) : warp;
    const auto n = static_cast<long long>(nx);
    const Line<T> line{values + (begin + (lane < valid ? lane : 0)) * nx, 1, 0, nx};
    March<T, most> march(before_line(sweep, line, nx));
    __syncwarp();
    const int column = lane % chunk, row = lane / chunk;
    T* const mine = values + (begin + row) * nx + column;
    T* const place = tile + row * width + column;
    for (long long i = 0; i - most < n; i += chunk) {
        const bool is_there = i + column < n;
#pragma unroll
        for (int k = 0; k < warp; k += at_once)
            place[k * width] = is_there && k + row < valid ? mine[k * nx + i] : T{0};
        __syncwarp();
        T f[chunk], x[chunk];
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            f[k] = tile[lane * width + k];
        march.forward(f, sweep.lambda);
        march.template backward<false>(sweep, n - (i - most), x);
        march.shift();
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            tile[lane * width + k] = x[k];
        __syncwarp();
        const long long here = i - most + column;
        if (here >= 0 && here < n)
#pragma unroll
            for (int k = 0; k < warp; k += at_once)
                if (k + row < valid) mine[k * nx + i - most] = place[k * width];
        __syncwarp();
    }
}

/// The longest of the register windows that are compiled.
constexpr int longest_window = 128;

std::string unavailable_reason(int reach) {
    if (reach <= longest_window) return {};
    return "a sweep reaches " + std::to_string(reach) + " points with this s, farther than " +
           std::to_string(longest_window) + ", which a thread's registers hold";
}

/// Calls with the shortest window that holds this reach.
template <class Call>
void with_window(int reach, const Call& call) {
    if (reach <= 16) return call(std::integral_constant<int, 16>{});
    if (reach <= 32) return call(std::integral_constant<int, 32>{});
    if (reach <= 64) return call(std::integral_constant<int, 64>{});
    call(std::integral_constant<int, longest_window>{});
}

unsigned blocks(std::size_t lines) {
    return static_cast<unsigned>((lines + threads - 1) / threads);
}

/// Calls with the parts of some layers that do not pass the ring's end: the first value and the number of
/// layers.
template <class T, class Call>
void each_part(const Ring<T>& ring, Layers layers, const Call& call) {
    const std::size_t first = layers.begin % ring.layers, head = std::min(layers.count, ring.layers - first);
    call(ring.values + first * ring.nx * ring.ny, head);
    if (head < layers.count) call(ring.values, layers.count - head);
}

template <class T>
void sweep_x(launch::Stream stream, const AxisSolve<T>& sweep, const Ring<T>& ring, Layers layers) {
    with_window(sweep.reach, [&](auto most) {
        each_part(ring, layers, [&](T* values, std::size_t count) {
            const std::size_t rows = count * ring.ny;
            launch::launch(stream, {{blocks(rows), 1, 1}, {threads, 1, 1}}, rows_kernel<T, most()>, values,
                           ring.nx, rows, sweep);
        });
    });
}

template <class T>
void sweep_y(launch::Stream stream, const AxisSolve<T>& sweep, const Ring<T>& ring, Layers layers) {
    const T* const nothing = nullptr;
    const std::size_t layer = ring.nx * ring.ny;
    with_window(sweep.reach, [&](auto most) {
        each_part(ring, layers, [&](T* values, std::size_t count) {
            // A grid has 65535 blocks along y at most.
            for (std::size_t done = 0; done < count; done += 32768) {
                const auto some = static_cast<unsigned>(std::min<std::size_t>(32768, count - done));
                launch::launch(stream, {{blocks(ring.nx), some, 1}, {threads, 1, 1}},
                               columns_kernel<T, most()>, values + done * layer, ring.nx, ring.nx,
                               std::size_t{0}, ring.ny, layer, ring.ny, std::size_t{0}, nothing,
                               static_cast<T*>(nullptr), sweep);
            }
        });
    });
}

template <class T>
void sweep_z(launch::Stream stream, const AxisSolve<T>& sweep, const Ring<T>& ring, const Window<T>& window) {
    const std::size_t layer = ring.nx * ring.ny;
    with_window(sweep.reach, [&](auto most) {
        launch::launch(stream, {{blocks(layer), 1, 1}, {threads, 1, 1}}, columns_kernel<T, most()>,
                       ring.values, layer, layer, window.layers.begin % ring.layers, ring.layers,
                       std::size_t{0}, window.layers.count, window.ahead, window.before, window.after, sweep);
    });
}

template <class T>
std::optional<launch::KernelInfo> info(const AxisSolve<T>& sweep) {
    std::optional<launch::KernelInfo> found;
    with_window(sweep.reach,
                [&](auto most) { found = launch::kernel_info(columns_kernel<T, most()>, threads); });
    return found;
}

}  // namespace box

template <class T>
const BoxKernels<T>* box_kernels() {
    using namespace box;
    static constexpr BoxKernels<T> kernels{unavailable_reason, sweep_x<T>, sweep_y<T>, sweep_z<T>, info<T>};
    return &kernels;
}

template const BoxKernels<float>* box_kernels();
template const BoxKernels<double>* box_kernels();

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
