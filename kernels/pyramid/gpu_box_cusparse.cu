// A box's lines by NVIDIA's batched solvers, for comparison: cuSPARSE's gtsvInterleavedBatch and
// gtsv2StridedBatch. How a step uses them is in gpu_box.hpp.
//
// Interleaved, a thread has a line (Thomas's algorithm), and a batch has all lines of an axis. Lines along y,
// taken as they lie, would be nz batches of nx systems each, too few to fill a GPU. Turning the box costs
// nothing, since the right-hand side is read and written anyway. The strided solver is cyclic reduction:
// more operations, and a step for each of its levels. The package dadi, which also turns its arrays, calls
// the interleaved solver notably faster (its CUDA integration). Both are variants here.
//
// Of the interleaved solver's algorithms 0, Thomas's, is the fastest by NVIDIA's manual. It overwrites the
// upper diagonal, so what turns the box writes that one again: a value more each.
#include "kernels/pyramid/cusparse.cuh"
#include "kernels/pyramid/gpu_box.hpp"

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace box_batch {

constexpr unsigned tile = 32, tile_rows = 8, threads = tile * tile_rows;

template <class T>
__global__ void __launch_bounds__(threads) fill_kernel(Batch<T> batch, T half) {
    const std::size_t at = static_cast<std::size_t>(blockIdx.x) * threads + threadIdx.x;
    if (at >= batch.order * batch.count) return;
    const std::size_t i = batch.is_interleaved ? at / batch.count : at % batch.order;
    batch.lower[at] = i == 0 ? T{0} : -half;
    batch.diagonal[at] = 1 + 2 * half;
    batch.upper[at] = i + 1 == batch.order ? T{0} : -half;
}

/// A tile of 32 x 32 values a block, turned in shared memory. `half` is s / 2.
template <class T, bool is_interleaved>
__global__ void __launch_bounds__(threads)
    turn_kernel(const T* __restrict__ from, T* __restrict__ to, T* __restrict__ upper, unsigned rows,
                unsigned columns, unsigned order, T half) {
    GRIDMARK_SHARED(T, turned, (tile * (tile + 1)));
    const unsigned across = (columns + tile - 1) / tile;
    const unsigned first_column = blockIdx.x % across * tile, first_row = blockIdx.x / across * tile;
    const std::size_t step = is_interleaved ? 1 : columns;
    for (unsigned k = threadIdx.y; k < tile; k += tile_rows) {
        const unsigned r = first_row + k, c = first_column + threadIdx.x;
        if (r >= rows || c >= columns) continue;
        const unsigned i = is_interleaved ? c : r % order;
        const T* const u = from + static_cast<std::size_t>(r) * columns + c;
        const T before = i > 0 ? *(u - step) : T{0}, after = i + 1 < order ? u[step] : T{0};
        turned[k * (tile + 1) + threadIdx.x] = (1 - 2 * half) * *u + half * (before + after);
    }
    __syncthreads();
    for (unsigned k = threadIdx.y; k < tile; k += tile_rows) {
        const unsigned r = first_row + threadIdx.x, c = first_column + k;
        if (r >= rows || c >= columns) continue;
        const std::size_t at = static_cast<std::size_t>(c) * rows + r;
        to[at] = turned[threadIdx.x * (tile + 1) + k];
        if (is_interleaved) upper[at] = c + 1 == order ? T{0} : -half;
    }
}

template <class T>
void fill(launch::Stream stream, const Batch<T>& batch, double s) {
    const auto blocks = static_cast<unsigned>((batch.order * batch.count + threads - 1) / threads);
    launch::launch(stream, {{blocks, 1, 1}, {threads, 1, 1}}, fill_kernel<T>, batch, static_cast<T>(s / 2));
}

template <class T>
void turn(launch::Stream stream, const Batch<T>& batch, double s, std::size_t columns, const T* from, T* to) {
    const std::size_t rows = batch.order * batch.count / columns;
    const auto tiles = static_cast<unsigned>((columns + tile - 1) / tile * ((rows + tile - 1) / tile));
    launch::launch(stream, {{tiles, 1, 1}, {tile, tile_rows, 1}},
                   batch.is_interleaved ? turn_kernel<T, true> : turn_kernel<T, false>, from, to, batch.upper,
                   static_cast<unsigned>(rows), static_cast<unsigned>(columns),
                   static_cast<unsigned>(batch.order), static_cast<T>(s / 2));
}

#ifdef GRIDMARK_HOST_EXECUTOR

std::string unavailable_reason(std::size_t, std::size_t) {
    return cusparse::not_on_host;
}

template <class T>
BatchSolver<T> solver(bool is_interleaved) {
    return {is_interleaved, unavailable_reason, nullptr, nullptr};
}

#else

using cusparse::Library, cusparse::Pair, cusparse::check;

/// What a box needs of the library, made at first use.
struct Solvers {
    Library library;
    Pair<decltype(cusparseSgtsvInterleavedBatch), decltype(cusparseDgtsvInterleavedBatch)> interleaved;
    Pair<decltype(cusparseSgtsv2StridedBatch), decltype(cusparseDgtsv2StridedBatch)> strided;
    Pair<decltype(cusparseSgtsvInterleavedBatch_bufferSizeExt),
         decltype(cusparseDgtsvInterleavedBatch_bufferSizeExt)>
        interleaved_buffer;
    Pair<decltype(cusparseSgtsv2StridedBatch_bufferSizeExt),
         decltype(cusparseDgtsv2StridedBatch_bufferSizeExt)>
        strided_buffer;

    Solvers() {
        interleaved.find(library, "cusparseSgtsvInterleavedBatch", "cusparseDgtsvInterleavedBatch");
        strided.find(library, "cusparseSgtsv2StridedBatch", "cusparseDgtsv2StridedBatch");
        interleaved_buffer.find(library, "cusparseSgtsvInterleavedBatch_bufferSizeExt",
                                "cusparseDgtsvInterleavedBatch_bufferSizeExt");
        strided_buffer.find(library, "cusparseSgtsv2StridedBatch_bufferSizeExt",
                            "cusparseDgtsv2StridedBatch_bufferSizeExt");
    }
};

const Solvers& solvers() {
    static const Solvers found;
    return found;
}

/// gtsv2StridedBatch of CUDA 13.0 made an illegal memory access at 2^30 points of float on an H200.
constexpr std::size_t most_strided = 1U << 29;

template <bool is_interleaved>
std::string unavailable_reason(std::size_t order, std::size_t count) {
    constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
    if (order < 3 || order > most / count)
        return "cuSPARSE solves lines of at least 3 points, and at most 2^31 - 1 points in all";
    if (!is_interleaved && order > most_strided / count)
        return "cuSPARSE's strided solver leaves its memory at 2^30 points; 2^29 are allowed here";
    return solvers().library.reason;
}

/// Thomas's algorithm, of the interleaved solver's.
constexpr int thomas = 0;

template <class T, bool is_interleaved>
std::size_t scratch(const Batch<T>& batch, const T* x) {
    const auto m = static_cast<int>(batch.order), n = static_cast<int>(batch.count);
    const cusparseHandle_t handle = solvers().library.handle;
    std::size_t bytes = 0;
    if constexpr (is_interleaved)
        check(solvers().interleaved_buffer.template of<T>()(handle, thomas, m, batch.lower, batch.diagonal,
                                                            batch.upper, x, n, &bytes),
              "asking for its buffer");
    else
        check(solvers().strided_buffer.template of<T>()(handle, m, batch.lower, batch.diagonal, batch.upper,
                                                        x, n, m, &bytes),
              "asking for its buffer");
    return bytes;
}

template <class T, bool is_interleaved>
void solve(launch::Stream stream, const Batch<T>& batch, T* x, void* scratch) {
    const auto m = static_cast<int>(batch.order), n = static_cast<int>(batch.count);
    const cusparseHandle_t handle = solvers().library.handle;
    solvers().library.use(stream);
    if constexpr (is_interleaved)
        check(solvers().interleaved.template of<T>()(handle, thomas, m, batch.lower, batch.diagonal,
                                                     batch.upper, x, n, scratch),
              "solving an interleaved batch");
    else
        check(solvers().strided.template of<T>()(handle, m, batch.lower, batch.diagonal, batch.upper, x, n, m,
                                                 scratch),
              "solving a strided batch");
}

template <class T>
BatchSolver<T> solver(bool is_interleaved) {
    if (is_interleaved) return {true, unavailable_reason<true>, scratch<T, true>, solve<T, true>};
    return {false, unavailable_reason<false>, scratch<T, false>, solve<T, false>};
}

#endif

}  // namespace box_batch

template <class T>
const BatchKernels<T>* batch_kernels() {
    using namespace box_batch;
    static const BatchKernels<T> kernels{fill<T>, turn<T>, solver<T>(true), solver<T>(false)};
    return &kernels;
}

template const BatchKernels<float>* batch_kernels();
template const BatchKernels<double>* batch_kernels();

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
