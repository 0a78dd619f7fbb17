// Cyclic reduction, the paper's solver. Level l keeps every 2^l-th row: row r of it stands for the value at
// (r + 1) 2^l - 1. Going down, every second row takes its two neighbours' equations in. That leaves a system
// of half the order, again with constant coefficients. Only the last row has a diagonal of its own, since it
// may lack its neighbour. Going up, the rows that were left out follow from their neighbours.
//
// So no coefficient is stored: a level's numbers go to its launch. Levels of up to `finish_rows` rows are
// done by one block, without further launches.
//
// Source: paper, "cyclic reduction" (its estimate counts 2 M / mu + log2(M / mu) reductions each way).
#include <algorithm>
#include "kernels/launch/kernel.hpp"
#include "kernels/pyramid/chains.hpp"
#include "kernels/pyramid/gpu.hpp"

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace cyclic_reduction {

constexpr int block = 256, finish_rows = 1024;

/// One level of cyclic reduction: rows -e x[r-1] + b x[r] - e x[r+1] = f[r], the last with a diagonal b' of
/// its own.
template <class T>
struct Level {
    std::size_t rows;
    int number;
    T share, last_share;      ///< e / b and e / b'
    T inverse, last_inverse;  ///< 1 / b and 1 / b'
};

template <class T>
struct Levels {
    static constexpr int most = 48;
    int count, first = 0;
    Level<T> level[most];
};

/// The levels of the matrix of order m (below 2^47) with off-diagonals -s and diagonal 1 + 2 s, down to a
/// single row. Made in double, so that rounding does not add up from level to level.
template <class T>
Levels<T> levels_of(double s, std::size_t m) {
    Levels<T> levels{};
    double e = s, b = 1 + 2 * s, last = b;
    for (std::size_t rows = m; rows > 0; rows /= 2) {
        levels.level[levels.count] = {rows,
                                      levels.count,
                                      static_cast<T>(e / b),
                                      static_cast<T>(e / last),
                                      static_cast<T>(1 / b),
                                      static_cast<T>(1 / last)};
        ++levels.count;
        // The last row of the next level is the last of this one, or, where that is left out, the one before
        // it.
        const double taken = e * e / b;
        last = rows % 2 == 0 ? last - taken : b - taken - e * e / last;
        b -= 2 * taken;
        e = taken;
    }
    return levels;
}

__device__ inline std::size_t at(std::size_t row, int level) {
    return ((row + 1) << level) - 1;
}

/// Takes the neighbours of row r = 2 j + 1 of a level in; makes row j of the next.
template <class T>
__device__ void reduce(T* x, const Level<T>& l, std::size_t j) {
    const std::size_t r = 2 * j + 1;
    const T left = x[at(r - 1, l.number)];
    T sum = x[at(r, l.number)] + l.share * left;
    if (r + 1 < l.rows) sum += (r + 2 == l.rows ? l.last_share : l.share) * x[at(r + 1, l.number)];
    x[at(r, l.number)] = sum;
}

/// The answer of row r = 2 j of a level from its neighbours' answers.
template <class T>
__device__ void substitute(T* x, const Level<T>& l, std::size_t j) {
    const std::size_t r = 2 * j;
    T neighbours = r > 0 ? x[at(r - 1, l.number)] : T{0};
    if (r + 1 < l.rows) neighbours += x[at(r + 1, l.number)];
    const bool last = r + 1 == l.rows;
    x[at(r, l.number)] = (last ? l.last_inverse : l.inverse) * x[at(r, l.number)] +
                         (last ? l.last_share : l.share) * neighbours;
}

template <class T>
__global__ void reduce_kernel(T* x, Level<T> l) {
    const std::size_t j = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (2 * j + 1 < l.rows) reduce(x, l, j);
}

template <class T>
__global__ void substitute_kernel(T* x, Level<T> l) {
    const std::size_t j = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (2 * j < l.rows) substitute(x, l, j);
}

/// All levels from `levels.first` on, down and up, by one block.
template <class T>
__global__ void finish_kernel(T* x, Levels<T> levels) {
    for (int k = levels.first; k < levels.count; ++k) {
        for (std::size_t j = threadIdx.x; 2 * j + 1 < levels.level[k].rows; j += blockDim.x)
            reduce(x, levels.level[k], j);
        __syncthreads();
    }
    for (int k = levels.count; k-- > levels.first;) {
        for (std::size_t j = threadIdx.x; 2 * j < levels.level[k].rows; j += blockDim.x)
            substitute(x, levels.level[k], j);
        __syncthreads();
    }
}

template <class T>
void solve(launch::Stream stream, double s, std::size_t m, int, T* x, T*, T*) {
    const auto shape = [](std::size_t threads) {
        return launch::Shape{{static_cast<unsigned>((threads + block - 1) / block), 1, 1}, {block, 1, 1}};
    };
    Levels<T> levels = levels_of<T>(s, m);
    while (levels.level[levels.first].rows > finish_rows)
        ++levels.first;
    for (int k = 0; k < levels.first; ++k)
        launch::launch(stream, shape(levels.level[k].rows / 2), reduce_kernel<T>, x, levels.level[k]);
    launch::launch(stream, {{1, 1, 1}, {block, 1, 1}}, finish_kernel<T>, x, levels);
    for (int k = levels.first; k-- > 0;)
        launch::launch(stream, shape((levels.level[k].rows + 1) / 2), substitute_kernel<T>, x,
                       levels.level[k]);
}

/// Level k reads its rows, 2^k values apart, and writes every second one: the memory serves 64 bytes at a
/// time, of which the first levels touch all. The last levels are rounds of one block.
template <class T>
std::vector<launch::Demand> demand(double, std::size_t m, int, const launch::Chip&) {
    constexpr double piece = 64;
    std::vector<launch::Demand> kernels;
    double rows = static_cast<double>(m);
    for (; rows > finish_rows; rows = launch::pieces(rows - 1, 2)) {
        const double all = static_cast<double>(m * sizeof(T)), read = std::min(all, rows * piece),
                     written = std::min(all, rows / 2 * piece),
                     blocks = launch::pieces(launch::pieces(rows, 2), block);
        kernels.push_back({.blocks = blocks,
                           .block_threads = block,
                           .memory_bytes = read + written,
                           .units = {rows, read + written},
                           .kernel = "reduce_kernel|substitute_kernel",
                           .code_share = 1,
                           .chain = chains::level,
                           .times = 2});
    }
    double rounds = 0, levels = 0;
    for (double left = rows; left >= 1; left = left / 2, ++levels)
        rounds += 2 * launch::pieces(left / 2, block);
    kernels.push_back({.block_threads = block,
                       .memory_bytes = 2 * rows * piece,
                       .units = {rows},
                       .kernel = "finish_kernel",
                       .chain = chains::last_levels(rounds, levels)});
    return kernels;
}

}  // namespace cyclic_reduction

/// gpu_medium.cu
template <class T>
const GpuVariant<T>& medium_cyclic_reduction();

template <class T>
GpuVariant<T> gpu_cyclic_reduction() {
    using namespace cyclic_reduction;
    return {.name = "gpu_cyclic_reduction",
            .origin = launch::Origin::published,
            .in_place = true,
            .solve = solve<T>,
            .info = [] { return std::optional(launch::kernel_info(reduce_kernel<T>, block)); },
            .demand = demand<T>,
            .medium = &medium_cyclic_reduction<T>()};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_cyclic_reduction);

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
