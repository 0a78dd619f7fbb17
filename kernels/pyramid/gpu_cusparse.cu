// NVIDIA's solver for comparison: cuSPARSE's gtsv2_nopivot, a mix of cyclic reduction and its parallel kind
// for any three diagonals. The library is looked for while the program runs. The host executor has the entry
// alone: it says why there is no number.
#include "kernels/launch/error.hpp"
#include "kernels/pyramid/cusparse.cuh"
#include "kernels/pyramid/gpu.hpp"

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace cusparse {

/// The three diagonals and the buffer that cuSPARSE 12 asks for, 4 m values and some. Stated here, so that
/// plans know it without a GPU; prepare() checks it.
template <class T>
std::size_t scratch(std::size_t m) {
    return 3 * aligned<T>(m) + 4 * m + (std::size_t{1} << 16);
}

/// Kernels of a solve. A level of cyclic reduction takes two, until less than 4096 rows are left. Parallel
/// cyclic reduction halves what is left, until a block can finish each half; that and a copy are two more.
/// Counted by the profiler: cuSPARSE of CUDA 13.0, 10^4 to 2^24 rows, either precision.
constexpr int launches(std::size_t m) {
    int count = 2;
    for (; m >= 4096; m /= 2)
        count += 2;
    for (; m > 256; m -= m / 2)
        ++count;
    return count;
}

#ifdef GRIDMARK_HOST_EXECUTOR

std::string unavailable_reason(double) {
    return not_on_host;
}

template <class T>
constexpr decltype(GpuVariant<T>::prepare) prepare = [](launch::Stream, double, std::size_t, T*) {};
template <class T>
constexpr decltype(GpuVariant<T>::prepare) close_ends = prepare<T>;
template <class T>
constexpr decltype(GpuVariant<T>::solve) solve = nullptr;

#else

constexpr int block = 256;

/// The matrix as a library wants it.
template <class T>
__global__ void fill_kernel(T* __restrict__ lower, T* __restrict__ diagonal, T* __restrict__ upper, T s,
                            std::size_t m) {
    const std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i >= m) return;
    lower[i] = i == 0 ? T{0} : -s;
    diagonal[i] = 1 + 2 * s;
    upper[i] = i + 1 == m ? T{0} : -s;
}

/// It reads what has no neighbour.
template <class T>
__global__ void close_ends_kernel(T* lower, T* upper, std::size_t m) {
    lower[0] = 0;
    upper[m - 1] = 0;
}

/// What a rod needs of the library, made at first use.
struct Solvers {
    Library library;
    Pair<decltype(cusparseSgtsv2_nopivot), decltype(cusparseDgtsv2_nopivot)> solve;
    Pair<decltype(cusparseSgtsv2_nopivot_bufferSizeExt), decltype(cusparseDgtsv2_nopivot_bufferSizeExt)>
        buffer;

    Solvers() {
        solve.find(library, "cusparseSgtsv2_nopivot", "cusparseDgtsv2_nopivot");
        buffer.find(library, "cusparseSgtsv2_nopivot_bufferSizeExt", "cusparseDgtsv2_nopivot_bufferSizeExt");
    }
};

const Solvers& solvers() {
    static const Solvers found;
    return found;
}

int order(std::size_t m) {
    if (m < 3 || m > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw launch::Error("cuSPARSE solves systems of 3 to 2^31 - 1 rows, not of " + std::to_string(m));
    return static_cast<int>(m);
}

std::string unavailable_reason(double) {
    return solvers().library.reason;
}

/// Throws where scratch() keeps too little.
template <class T>
void check_scratch(std::size_t m) {
    std::size_t bytes = 0;
    check(solvers().buffer.template of<T>()(solvers().library.handle, order(m), 1, nullptr, nullptr, nullptr,
                                            nullptr, order(m), &bytes),
          "asking for its buffer");
    if (3 * aligned<T>(m) + bytes / sizeof(T) > cusparse::scratch<T>(m))
        throw launch::Error("this cuSPARSE asks for " + std::to_string(bytes) + " bytes of buffer for " +
                            std::to_string(m) + " rows, more than is kept for it");
}

template <class T>
void prepare(launch::Stream stream, double s, std::size_t m, T* scratch) {
    check_scratch<T>(m);
    const std::size_t step = aligned<T>(m);
    const launch::Shape shape{{static_cast<unsigned>((m + block - 1) / block), 1, 1}, {block, 1, 1}};
    launch::launch(stream, shape, fill_kernel<T>, scratch, scratch + step, scratch + 2 * step,
                   static_cast<T>(s), m);
}

template <class T>
void close_ends(launch::Stream stream, double, std::size_t m, T* scratch) {
    check_scratch<T>(m);
    launch::launch(stream, {{1, 1, 1}, {1, 1, 1}}, close_ends_kernel<T>, scratch, scratch + 2 * aligned<T>(m),
                   m);
}

template <class T>
void solve(launch::Stream stream, double, std::size_t m, int, T* f, T*, T* scratch) {
    const std::size_t step = aligned<T>(m);
    const Library& library = solvers().library;
    library.use(stream);
    check(solvers().solve.template of<T>()(library.handle, order(m), 1, scratch, scratch + step,
                                           scratch + 2 * step, f, order(m), scratch + 3 * step),
          "solving");
}

#endif

}  // namespace cusparse

template <class T>
GpuVariant<T> gpu_cusparse() {
    static const GpuVariant<T> medium{.name = "gpu_cusparse",
                                      .in_place = true,
                                      .rounding = 4,
                                      .unavailable_reason = cusparse::unavailable_reason,
                                      .scratch = cusparse::scratch<T>,
                                      .prepare = cusparse::close_ends<T>,
                                      .solve = cusparse::solve<T>,
                                      .launches = cusparse::launches};
    GpuVariant<T> variant = medium;
    variant.prepare = cusparse::prepare<T>;
    variant.medium = &medium;
    return variant;
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_cusparse);

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
