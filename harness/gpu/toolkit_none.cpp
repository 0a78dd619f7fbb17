// Stands in for properties.cpp and step_clock.cpp where there is no CUDA toolkit.

#include "harness/gpu/properties.hpp"
#include "harness/gpu/step_clock.hpp"
#include "kernels/launch/error.hpp"

namespace gridmark::harness {
namespace {

constexpr const char* no_toolkit = "built without the CUDA toolkit";

[[noreturn]] void refuse() {
    throw launch::Unavailable("built without the CUDA toolkit: no GPU to time");
}

}  // namespace

Expected<GpuProperties> read_gpu_properties(int) {
    return unknown<GpuProperties>(no_toolkit);
}
Expected<std::string> read_gpu_uuid(int) {
    return unknown<std::string>(no_toolkit);
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

struct GraphReplay::State {};

double seconds_between_events(launch::Stream, const std::function<void()>&) {
    refuse();
}
GraphReplay::GraphReplay(launch::Stream, const std::function<void()>&) {
    refuse();
}
GraphReplay::GraphReplay(GraphReplay&&) noexcept = default;
GraphReplay& GraphReplay::operator=(GraphReplay&&) noexcept = default;
GraphReplay::~GraphReplay() = default;
void GraphReplay::replay(int) {
    refuse();
}

}  // namespace gridmark::harness
