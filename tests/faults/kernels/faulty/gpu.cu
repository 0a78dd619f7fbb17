#include "kernels/faulty/gpu.hpp"

#include <vector>

#include "kernels/launch/kernel.hpp"

namespace gridmark::faulty::GRIDMARK_EXECUTOR {

__global__ void negate_kernel(float* values, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] = -values[i];
}

__global__ void write_nowhere_kernel(float* nowhere) {
    nowhere[threadIdx.x] = 1;
}

__global__ void spin_kernel(const volatile float* ever) {
    while (*ever == 0) {
    }
}

void negate(launch::Stream stream, float* values, int n) {
    const launch::Shape shape{{(static_cast<unsigned>(n) + 63) / 64, 1, 1}, {64, 1, 1}};
    launch::launch(stream, shape, negate_kernel, values, n);
}

void write_nowhere(launch::Stream stream) {
    launch::launch(stream, {{1, 1, 1}, {32, 1, 1}}, write_nowhere_kernel, reinterpret_cast<float*>(0x8));
}

void spin(launch::Stream stream) {
    static launch::Buffer<float> zero(*stream.device, 1);
    zero.upload(std::vector<float>(1, 0.0F));
    launch::launch(stream, {{1, 1, 1}, {1, 1, 1}}, spin_kernel, zero.data());
}

}  // namespace gridmark::faulty::GRIDMARK_EXECUTOR
