// Stands in for properties.cpp where there is no CUDA toolkit.

#include "harness/gpu/properties.hpp"

namespace gridmark::harness {
namespace {

constexpr const char* no_toolkit = "built without the CUDA toolkit";

}  // namespace

Expected<GpuProperties> read_gpu_properties(int) {
    return unknown<GpuProperties>(no_toolkit);
}
int gpu_ordinal(launch::Device&) {
    throw launch::Unavailable(no_toolkit);
}
Expected<std::string> read_cuda_runtime_version() {
    return unknown<std::string>(no_toolkit);
}
Expected<std::string> read_cuda_driver_version() {
    return unknown<std::string>(no_toolkit);
}

}  // namespace gridmark::harness
