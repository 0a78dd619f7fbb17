#pragma once

#include "kernels/launch/kernel.hpp"

#ifndef GRIDMARK_HOST_EXECUTOR
#include <cusparse.h>
#include <dlfcn.h>

#include <limits>
#include <string>

#include "kernels/launch/error.hpp"
#include "kernels/launch/toolkit.hpp"
#include "kernels/precision.hpp"
#endif

/// NVIDIA's library of solvers, which is looked for while the program runs. The host executor cannot run it.
namespace gridmark::pyramid::GRIDMARK_EXECUTOR::cusparse {

#ifdef GRIDMARK_HOST_EXECUTOR

constexpr const char* not_on_host = "cuSPARSE is a library for GPUs: the host executor cannot run it";

#else

/// Functions of the library, and one handle.
class Library {
  public:
    std::string reason;  ///< why it cannot be used, or empty
    cusparseHandle_t handle = nullptr;

    Library() {
        const std::string major = "libcusparse.so." + std::to_string(CUSPARSE_VER_MAJOR);
        for (const std::string& name : launch::library_candidates(major))
            if (library_ == nullptr) library_ = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library_ == nullptr) {
            reason = "no " + major + " found (part of the CUDA toolkit)";
            return;
        }
        decltype(cusparseCreate)* create = nullptr;
        find("cusparseCreate", create);
        find("cusparseSetStream", set_stream_);
        if (reason.empty() && create(&handle) != CUSPARSE_STATUS_SUCCESS)
            reason = "cuSPARSE does not start on this machine";
    }
    /// Looks a function up; without it there is a reason.
    template <class Function>
    void find(const char* name, Function*& function) {
        if (library_ == nullptr) return;
        function = reinterpret_cast<Function*>(dlsym(library_, name));
        if (function == nullptr) reason = std::string("this cuSPARSE has no ") + name;
    }
    /// What is called next goes into this stream.
    void use(launch::Stream stream) const;

  private:
    void* library_ = nullptr;
    decltype(cusparseSetStream)* set_stream_ = nullptr;
};

inline void check(cusparseStatus_t status, const char* doing) {
    if (status != CUSPARSE_STATUS_SUCCESS)
        throw launch::Error(std::string("cuSPARSE error ") + std::to_string(status) + " while " + doing);
}

inline void Library::use(launch::Stream stream) const {
    check(set_stream_(handle, static_cast<cudaStream_t>(stream.handle)), "choosing a stream");
}

/// A function for float and the same for double.
template <class Single, class Double>
struct Pair {
    Single* single = nullptr;
    Double* twice = nullptr;

    void find(Library& library, const char* single_name, const char* double_name) {
        library.find(single_name, single);
        library.find(double_name, twice);
    }
    template <class T>
    auto of() const {
        return for_precision<T>(single, twice);
    }
};

#endif

}  // namespace gridmark::pyramid::GRIDMARK_EXECUTOR::cusparse
