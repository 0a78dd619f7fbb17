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
#include <utility>

#include "kernels/launch/kernel.hpp"
#include "kernels/pyramid/gpu_box.hpp"

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace box {

constexpr int warp = 32, threads = 128;

/// Places of a line's values: a number of `step` apart, in a ring of `length` that it enters at `first`.
template <class T>
struct Line {
    T* values;
    std::size_t step, first, length;

    __device__ T& operator[](std::size_t i) const {
        std::size_t at = first + i;
        if (at >= length) at -= length;
        return values[at * step];
    }
};

/// y before a line's first value: f is odd about the zero there, and about the one behind its n values.
template <class T>
__device__ T before_line(const Sweep<T>& sweep, const Line<T>& line, std::size_t n) {
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
template <class T, int most, int chunk>
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
    /// Answers at places i - most ... i - most + chunk - 1. What stands at `end` and further is zero.
    __device__ void backward(const Sweep<T>& sweep, long long i, long long end, T (&x)[chunk]) const {
        T sum = 0;
#pragma unroll
        for (int k = most + chunk - 1; k >= 0; --k) {
            sum = i - most + k < end ? y[k] + sweep.lambda * sum : T{0};
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

/// Lines side by side: thread t of a block has line blockIdx.x * threads + t of blockIdx.y's group. `count`
/// values are answered, `ahead` more are read.
template <class T, int most>
__global__ void __launch_bounds__(threads)
    columns_kernel(T* values, std::size_t lines, std::size_t step, std::size_t first, std::size_t length,
                   std::size_t group, std::size_t groups_first, std::size_t groups_length, std::size_t count,
                   std::size_t ahead, const T* before, T* after, Sweep<T> sweep) {
    constexpr int chunk = 16;
    const std::size_t at = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
    if (at >= lines) return;
    std::size_t place = groups_first + blockIdx.y;
    if (place >= groups_length) place -= groups_length;
    const Line<T> line{values + place * group + at, step, first, length};
    const auto n = static_cast<long long>(count), end = static_cast<long long>(count + ahead);
    March<T, most, chunk> march(before != nullptr ? before[at] : before_line(sweep, line, count + ahead));
    for (long long i = 0; i - most < n; i += chunk) {
        T f[chunk], x[chunk];
#pragma unroll
        for (int k = 0; k < chunk; ++k)
            f[k] = i + k < end ? line[static_cast<std::size_t>(i + k)] : T{0};
        march.forward(f, sweep.lambda);
        march.backward(sweep, i, end, x);
#pragma unroll
        for (int k = 0; k < chunk; ++k) {
            const long long here = i - most + k;
            if (here >= 0 && here < n) line[static_cast<std::size_t>(here)] = x[k];
            if (after != nullptr && here == n - 1) after[at] = march.y[k];
        }
        march.shift();
    }
}

/// Lines along x: a lane has one of a warp's 32 rows.
template <class T, int most>
__global__ void __launch_bounds__(threads)
    rows_kernel(T* values, std::size_t nx, std::size_t rows, std::size_t first_row, std::size_t ring_rows,
                Sweep<T> sweep) {
    GRIDMARK_SHARED(T, tiles, (threads * (warp + 1)));
    const int lane = threadIdx.x % warp, own = threadIdx.x / warp;
    T* const tile = tiles + own * warp * (warp + 1);
    const std::size_t begin = static_cast<std::size_t>(blockIdx.x) * threads + own * warp;
    if (begin >= rows) return;
    const auto row = [&](int k) {
        std::size_t r = first_row + begin + static_cast<std::size_t>(k);
        if (r >= ring_rows) r -= ring_rows;
        return values + r * nx;
    };
    const int valid = rows - begin < warp ? static_cast<int>(rows - begin) : warp;
    const auto n = static_cast<long long>(nx);
    const Line<T> line{row(lane < valid ? lane : 0), 1, 0, nx};
    March<T, most, warp> march(before_line(sweep, line, nx));
    __syncwarp();
    for (long long i = 0; i - most < n; i += warp) {
#pragma unroll
        for (int k = 0; k < warp; ++k)
            tile[k * (warp + 1) + lane] = k < valid && i + lane < n ? row(k)[i + lane] : T{0};
        __syncwarp();
        T f[warp], x[warp];
#pragma unroll
        for (int k = 0; k < warp; ++k)
            f[k] = tile[lane * (warp + 1) + k];
        march.forward(f, sweep.lambda);
        march.backward(sweep, i, n, x);
        march.shift();
#pragma unroll
        for (int k = 0; k < warp; ++k)
            tile[lane * (warp + 1) + k] = x[k];
        __syncwarp();
        const long long here = i - most + lane;
#pragma unroll
        for (int k = 0; k < warp; ++k)
            if (k < valid && here >= 0 && here < n) row(k)[here] = tile[k * (warp + 1) + lane];
        __syncwarp();
    }
}

/// The register windows that are compiled: reaches up to these.
constexpr int windows[]{8, 16, 32, 64, 128};

std::string unavailable_reason(int reach) {
    if (reach <= windows[4]) return {};
    return "a sweep reaches " + std::to_string(reach) + " points with this s, farther than " +
           std::to_string(windows[4]) + ", which a thread's registers hold";
}

/// Calls with the shortest window that holds this reach.
template <class Call>
void with_window(int reach, const Call& call) {
    if (reach <= 8) return call(std::integral_constant<int, 8>{});
    if (reach <= 16) return call(std::integral_constant<int, 16>{});
    if (reach <= 32) return call(std::integral_constant<int, 32>{});
    if (reach <= 64) return call(std::integral_constant<int, 64>{});
    call(std::integral_constant<int, 128>{});
}

unsigned blocks(std::size_t lines) {
    return static_cast<unsigned>((lines + threads - 1) / threads);
}

template <class T>
void sweep_x(launch::Stream stream, const Sweep<T>& sweep, const Ring<T>& ring, Layers layers) {
    with_window(sweep.reach, [&](auto most) {
        const std::size_t rows = layers.count * ring.ny;
        launch::launch(stream, {{blocks(rows), 1, 1}, {threads, 1, 1}}, rows_kernel<T, most()>, ring.values,
                       ring.nx, rows, layers.begin % ring.layers * ring.ny, ring.layers * ring.ny, sweep);
    });
}

template <class T>
void sweep_y(launch::Stream stream, const Sweep<T>& sweep, const Ring<T>& ring, Layers layers) {
    const T* const nothing = nullptr;
    with_window(sweep.reach, [&](auto most) {
        // A grid has 65535 blocks along y at most.
        for (std::size_t done = 0; done < layers.count; done += 32768) {
            const auto count = static_cast<unsigned>(std::min<std::size_t>(32768, layers.count - done));
            launch::launch(stream, {{blocks(ring.nx), count, 1}, {threads, 1, 1}}, columns_kernel<T, most()>,
                           ring.values, ring.nx, ring.nx, std::size_t{0}, ring.ny, ring.nx * ring.ny,
                           (layers.begin + done) % ring.layers, ring.layers, ring.ny, std::size_t{0}, nothing,
                           static_cast<T*>(nullptr), sweep);
        }
    });
}

template <class T>
void sweep_z(launch::Stream stream, const Sweep<T>& sweep, const Ring<T>& ring, const Window<T>& window) {
    const std::size_t layer = ring.nx * ring.ny;
    with_window(sweep.reach, [&](auto most) {
        launch::launch(stream, {{blocks(layer), 1, 1}, {threads, 1, 1}}, columns_kernel<T, most()>,
                       ring.values, layer, layer, window.layers.begin % ring.layers, ring.layers,
                       std::size_t{0}, std::size_t{0}, std::size_t{1}, window.layers.count, window.ahead,
                       window.before, window.after, sweep);
    });
}

template <class T>
std::optional<launch::KernelInfo> info(const Sweep<T>& sweep) {
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
