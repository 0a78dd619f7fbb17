// NVIDIA's solver for comparison: cuSPARSE's gtsv2_nopivot, a mix of cyclic reduction and its parallel kind
// for any three diagonals. The library is looked for while the program runs. The host executor has the entry
// alone: it says why there is no number.
#include "kernels/launch/kernel.hpp"
#include "kernels/pyramid/gpu.hpp"

#ifndef GRIDMARK_HOST_EXECUTOR
#include <cusparse.h>
#include <dlfcn.h>

#include <limits>

#include "kernels/launch/error.hpp"
#include "kernels/precision.hpp"
#endif

namespace gridmark::pyramid::GRIDMARK_EXECUTOR {
namespace cusparse {

/// The three diagonals and the buffer that cuSPARSE 12 asks for, 4 m values and some. Stated here, so that
/// plans know it without a GPU; prepare() checks it.
template <class T>
std::size_t scratch(std::size_t m) {
    return 3 * aligned<T>(m) + 4 * m + (std::size_t{1} << 16);
}

#ifdef GRIDMARK_HOST_EXECUTOR

std::string unavailable_reason(double) {
    return "cuSPARSE is a library for GPUs: the host executor cannot run it";
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

/// Its functions and one handle, made at first use.
struct Library {
    std::string reason;
    cusparseHandle_t handle = nullptr;
    decltype(cusparseSetStream)* set_stream = nullptr;
    decltype(cusparseSgtsv2_nopivot)* solve_float = nullptr;
    decltype(cusparseDgtsv2_nopivot)* solve_double = nullptr;
    decltype(cusparseSgtsv2_nopivot_bufferSizeExt)* buffer_float = nullptr;
    decltype(cusparseDgtsv2_nopivot_bufferSizeExt)* buffer_double = nullptr;

    Library() {
        const std::string major = "libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR);
        void* library = nullptr;
        for (const std::string& name :
             {major, std::string("libcusparse.so"), "/usr/local/cuda/lib64/" + major})
            if (library == nullptr) library = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) {
            reason = "no " + major + " found (part of the CUDA toolkit)";
            return;
        }
        decltype(cusparseCreate)* create = nullptr;
        find(library, "cusparseCreate", create);
        find(library, "cusparseSetStream", set_stream);
        find(library, "cusparseSgtsv2_nopivot", solve_float);
        find(library, "cusparseDgtsv2_nopivot", solve_double);
        find(library, "cusparseSgtsv2_nopivot_bufferSizeExt", buffer_float);
        find(library, "cusparseDgtsv2_nopivot_bufferSizeExt", buffer_double);
        if (reason.empty() && create(&handle) != CUSPARSE_STATUS_SUCCESS)
            reason = "cuSPARSE does not start on this machine";
    }

  private:
    template <class Function>
    void find(void* library, const char* name, Function*& function) {
        function = reinterpret_cast<Function*>(dlsym(library, name));
        if (function == nullptr) reason = std::string("this cuSPARSE has no ") + name;
    }
};

const Library& library() {
    static const Library found;
    return found;
}

void check(cusparseStatus_t status, const char* doing) {
    if (status != CUSPARSE_STATUS_SUCCESS)
        throw launch::Error(std::string("cuSPARSE error ") + std::to_string(status) + " while " + doing);
}

int order(std::size_t m) {
    if (m < 3 || m > static_cast<std::size_t>(std::numeric_limits<int>::max()))
        throw launch::Error("cuSPARSE solves systems of 3 to 2^31 - 1 rows, not of " + std::to_string(m));
    return static_cast<int>(m);
}

std::string unavailable_reason(double) {
    return library().reason;
}

/// Throws where scratch() keeps too little.
template <class T>
void check_scratch(std::size_t m) {
    std::size_t bytes = 0;
    const auto ask = for_precision<T>(library().buffer_float, library().buffer_double);
    check(ask(library().handle, order(m), 1, nullptr, nullptr, nullptr, nullptr, order(m), &bytes),
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
    check(library().set_stream(library().handle, static_cast<cudaStream_t>(stream.handle)),
          "choosing a stream");
    const auto run = for_precision<T>(library().solve_float, library().solve_double);
    check(run(library().handle, order(m), 1, scratch, scratch + step, scratch + 2 * step, f, order(m),
              scratch + 3 * step),
          "solving");
}

#endif

}  // namespace cusparse

template <class T>
GpuVariant<T> gpu_cusparse() {
    static const GpuVariant<T> medium{
        .name = "gpu_cusparse",
        .in_place = true,
        .rounding = 4,
        .unavailable_reason = cusparse::unavailable_reason,
        .scratch = cusparse::scratch<T>,
        .prepare = cusparse::close_ends<T>,
        .solve = cusparse::solve<T>,
        // Launches as its rows in memory of 2^16 to 2^20 values have them.
        .cost = [](std::size_t m, int) { return cost_of_rows<T>(m, 168, 289, 25); }};
    GpuVariant<T> variant = medium;
    variant.prepare = cusparse::prepare<T>;
    variant.medium = &medium;
    return variant;
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_cusparse);

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR
