// Cyclic reduction for a matrix of any three diagonals. Level l + 1 has the odd rows of level l: each takes
// its two neighbours' equations in. Rows of a level stand side by side in arrays of their own, so that all
// loads are whole lines of memory; together the levels take twice the matrix. They are made once and solve
// any number of right-hand sides. No row is exchanged: the matrix is dominant (medium.hpp), and stays so.
//
// Source: paper, "cyclic reduction", there for constant coefficients.
#include "kernels/launch/kernel.hpp"
#include "kernels/pyramid/gpu.hpp"

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace medium {

constexpr int block = 256;
/// Levels of up to so many rows are done by one block, without further launches.
constexpr std::size_t finish_rows = 1024;

/// A level: its rows, and its right-hand side, which becomes its answer.
template <class T>
struct Level {
    std::size_t rows;
    T *lower, *diagonal, *upper, *f;
};

template <class T>
struct Levels {
    static constexpr int most = 48;
    int count, first;
    Level<T> level[most];
};

/// All levels of m rows (below 2^47). The first one's matrix is at the beginning of `scratch`.
template <class T>
Levels<T> levels_of(std::size_t m, T* f, T* scratch) {
    Levels<T> levels{};
    T* next = scratch;
    for (std::size_t rows = m; rows > 0; rows /= 2) {
        const std::size_t step = aligned<T>(rows);
        const bool is_first = levels.count == 0;
        levels.level[levels.count++] = {rows, next, next + step, next + 2 * step,
                                        is_first ? f : next + 3 * step};
        next += (is_first ? 3 : 4) * step;
    }
    while (levels.level[levels.first].rows > finish_rows)
        ++levels.first;
    return levels;
}

template <class T>
std::size_t scratch(std::size_t m) {
    std::size_t sum = 3 * aligned<T>(m);
    for (std::size_t rows = m / 2; rows > 0; rows /= 2)
        sum += 4 * aligned<T>(rows);
    return sum;
}

/// Row j of the level after `l`: row 2 j + 1 of this one without its neighbours.
template <class T>
__device__ void factor(const Level<T>& l, const Level<T>& next, std::size_t j) {
    const std::size_t r = 2 * j + 1;
    const T before = l.lower[r] / l.diagonal[r - 1];
    T diagonal = l.diagonal[r] - before * l.upper[r - 1];
    next.lower[j] = j > 0 ? -before * l.lower[r - 1] : T{0};
    next.upper[j] = 0;
    if (r + 1 < l.rows) {
        const T after = l.upper[r] / l.diagonal[r + 1];
        diagonal -= after * l.lower[r + 1];
        if (r + 2 < l.rows) next.upper[j] = -after * l.upper[r + 1];
    }
    next.diagonal[j] = diagonal;
}

/// The same for the right-hand side.
template <class T>
__device__ void reduce(const Level<T>& l, const Level<T>& next, std::size_t j) {
    const std::size_t r = 2 * j + 1;
    T sum = l.f[r] - l.lower[r] / l.diagonal[r - 1] * l.f[r - 1];
    if (r + 1 < l.rows) sum -= l.upper[r] / l.diagonal[r + 1] * l.f[r + 1];
    next.f[j] = sum;
}

/// The answers of rows 2 j and 2 j + 1 from those of the next level.
template <class T>
__device__ void substitute(const Level<T>& l, const Level<T>& next, std::size_t j) {
    const std::size_t r = 2 * j;
    T sum = l.f[r];
    if (r > 0) sum -= l.lower[r] * next.f[j - 1];
    if (r + 1 < l.rows) {
        const T after = next.f[j];
        sum -= l.upper[r] * after;
        l.f[r + 1] = after;
    }
    l.f[r] = sum / l.diagonal[r];
}

template <class T>
__global__ void factor_kernel(Level<T> l, Level<T> next) {
    const std::size_t j = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (j < next.rows) factor(l, next, j);
}

template <class T>
__global__ void reduce_kernel(Level<T> l, Level<T> next) {
    const std::size_t j = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (j < next.rows) reduce(l, next, j);
}

template <class T>
__global__ void substitute_kernel(Level<T> l, Level<T> next) {
    const std::size_t j = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (2 * j < l.rows) substitute(l, next, j);
}

/// All levels from `levels.first` on, by one block.
template <class T>
__global__ void finish_factor_kernel(Levels<T> levels) {
    for (int k = levels.first; k + 1 < levels.count; ++k) {
        for (std::size_t j = threadIdx.x; j < levels.level[k + 1].rows; j += blockDim.x)
            factor(levels.level[k], levels.level[k + 1], j);
        __syncthreads();
    }
}

/// Down and up again.
template <class T>
__global__ void finish_kernel(Levels<T> levels) {
    for (int k = levels.first; k + 1 < levels.count; ++k) {
        for (std::size_t j = threadIdx.x; j < levels.level[k + 1].rows; j += blockDim.x)
            reduce(levels.level[k], levels.level[k + 1], j);
        __syncthreads();
    }
    const Level<T>& last = levels.level[levels.count - 1];
    if (threadIdx.x == 0) last.f[0] /= last.diagonal[0];
    __syncthreads();
    for (int k = levels.count - 1; k-- > levels.first;) {
        for (std::size_t j = threadIdx.x; 2 * j < levels.level[k].rows; j += blockDim.x)
            substitute(levels.level[k], levels.level[k + 1], j);
        __syncthreads();
    }
}

launch::Shape shape(std::size_t threads) {
    return {{static_cast<unsigned>((threads + block - 1) / block), 1, 1}, {block, 1, 1}};
}

template <class T>
void prepare(launch::Stream stream, double, std::size_t m, T* scratch) {
    const Levels<T> levels = levels_of<T>(m, nullptr, scratch);
    for (int k = 0; k < levels.first; ++k)
        launch::launch(stream, shape(levels.level[k + 1].rows), factor_kernel<T>, levels.level[k],
                       levels.level[k + 1]);
    launch::launch(stream, {{1, 1, 1}, {block, 1, 1}}, finish_factor_kernel<T>, levels);
}

template <class T>
void solve(launch::Stream stream, double, std::size_t m, int, T* f, T*, T* scratch) {
    const Levels<T> levels = levels_of<T>(m, f, scratch);
    for (int k = 0; k < levels.first; ++k)
        launch::launch(stream, shape(levels.level[k + 1].rows), reduce_kernel<T>, levels.level[k],
                       levels.level[k + 1]);
    launch::launch(stream, {{1, 1, 1}, {block, 1, 1}}, finish_kernel<T>, levels);
    for (int k = levels.first; k-- > 0;)
        launch::launch(stream, shape((levels.level[k].rows + 1) / 2), substitute_kernel<T>, levels.level[k],
                       levels.level[k + 1]);
}

}  // namespace medium

template <class T>
const GpuVariant<T>& medium_cyclic_reduction() {
    using namespace medium;
    static const GpuVariant<T> variant{
        .name = "gpu_cyclic_reduction",
        .in_place = true,
        .scratch = medium::scratch<T>,
        .prepare = prepare<T>,
        .solve = solve<T>,
        .launches =
            [](std::size_t m) {
                int levels = 0;
                for (; m >> levels > finish_rows; ++levels) {
                }
                return 2 * levels + 1;
            },
        .info = [] { return std::optional(launch::kernel_info(reduce_kernel<T>, block)); }};
    return variant;
}

template const GpuVariant<float>& medium_cyclic_reduction();
template const GpuVariant<double>& medium_cyclic_reduction();

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
