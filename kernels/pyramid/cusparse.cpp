#include "kernels/pyramid/cusparse.hpp"

#include <cusparse.h>
#include <dlfcn.h>

#include <limits>

#include "kernels/launch/error.hpp"
#include "kernels/precision.hpp"

namespace gridmark::pyramid {
namespace cuda {
template <class T>
void fill_diagonals(launch::Stream stream, double s, std::size_t m, T* lower, T* diagonal, T* upper);
}

namespace cusparse {
namespace {

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

}  // namespace

std::string unavailable_reason(double) {
    return library().reason;
}

template <class T>
void prepare(launch::Stream stream, double s, std::size_t m, T* scratch) {
    const std::size_t step = aligned<T>(m);
    std::size_t bytes = 0;
    const auto ask = for_precision<T>(library().buffer_float, library().buffer_double);
    check(ask(library().handle, order(m), 1, nullptr, nullptr, nullptr, nullptr, order(m), &bytes),
          "asking for its buffer");
    if (3 * step + bytes / sizeof(T) > cusparse::scratch<T>(m))
        throw launch::Error("this cuSPARSE asks for " + std::to_string(bytes) + " bytes of buffer for " +
                            std::to_string(m) + " rows, more than is kept for it");
    cuda::fill_diagonals(stream, s, m, scratch, scratch + step, scratch + 2 * step);
}

template <class T>
void solve(launch::Stream stream, double, std::size_t m, T* f, T*, T* scratch) {
    const std::size_t step = aligned<T>(m);
    check(library().set_stream(library().handle, static_cast<cudaStream_t>(stream.handle)),
          "choosing a stream");
    const auto run = for_precision<T>(library().solve_float, library().solve_double);
    check(run(library().handle, order(m), 1, scratch, scratch + step, scratch + 2 * step, f, order(m),
              scratch + 3 * step),
          "solving");
}

#define GRIDMARK_INSTANTIATE(T)                                     \
    template void prepare(launch::Stream, double, std::size_t, T*); \
    template void solve(launch::Stream, double, std::size_t, T*, T*, T*);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace cusparse
}  // namespace gridmark::pyramid
