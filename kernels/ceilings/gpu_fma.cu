#include "kernels/ceilings/gpu.hpp"

#include "kernels/launch/kernel.hpp"

namespace gridmark::ceilings::GRIDMARK_EXECUTOR {
namespace {

template <class T>
__global__ void fma_kernel(int iterations, T factor, T term, T* out) {
    T chain[gpu_fma_chains];
    for (int k = 0; k < gpu_fma_chains; ++k)
        chain[k] = static_cast<T>(threadIdx.x + k);
#pragma unroll 16
    for (int i = 0; i < iterations; ++i) {
        for (int k = 0; k < gpu_fma_chains; ++k)
            chain[k] = chain[k] * factor + term;  // nvcc contracts
    }
    T sum = 0;
    for (int k = 0; k < gpu_fma_chains; ++k)
        sum += chain[k];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

}  // namespace

void fma_float(launch::Stream stream, unsigned blocks, int iterations, float factor, float term, float* out) {
    launch::launch(stream, {{blocks}, {gpu_fma_threads}}, fma_kernel<float>, iterations, factor, term, out);
}

void fma_double(launch::Stream stream, unsigned blocks, int iterations, double factor, double term,
                double* out) {
    launch::launch(stream, {{blocks}, {gpu_fma_threads}}, fma_kernel<double>, iterations, factor, term, out);
}

}  // namespace gridmark::ceilings::GRIDMARK_EXECUTOR
