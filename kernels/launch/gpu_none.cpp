// Stands in for gpu_device.cpp where there is no CUDA toolkit.

#include "kernels/launch/gpu_count.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::launch {

std::unique_ptr<Device> gpu_device(int) {
    throw Unavailable("built without the CUDA toolkit");
}

void profile(bool) {}

int gpu_count() {
    return 0;
}

std::optional<std::string> gpu_unavailable_reason() {
    return "built without the CUDA toolkit";
}

}  // namespace gridmark::launch
