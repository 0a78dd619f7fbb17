#include "kernels/launch/dispatch.hpp"

#include "kernels/ceilings/gpu.hpp"

namespace gridmark::ceilings {

void copy_bytes(launch::Stream stream, const void* from, void* to, std::size_t bytes) {
    GRIDMARK_SELECT(stream, copy_bytes)(stream, from, to, bytes);
}

std::size_t copy_rotating(launch::Stream stream, const void* from, void* to, std::size_t bytes,
                          unsigned tiles, unsigned passes) {
    return GRIDMARK_SELECT(stream, copy_rotating)(stream, from, to, bytes, tiles, passes);
}

void fma_float(launch::Stream stream, unsigned blocks, int iterations, float factor, float term, float* out) {
    GRIDMARK_SELECT(stream, fma_float)(stream, blocks, iterations, factor, term, out);
}

void fma_double(launch::Stream stream, unsigned blocks, int iterations, double factor, double term,
                double* out) {
    GRIDMARK_SELECT(stream, fma_double)(stream, blocks, iterations, factor, term, out);
}

void gpu_triad(launch::Stream stream, const float* a, const float* b, float* to, std::size_t count,
               bool streaming) {
    GRIDMARK_SELECT(stream, gpu_triad)(stream, a, b, to, count, streaming);
}

void launch_nothing(launch::Stream stream) {
    GRIDMARK_SELECT(stream, launch_nothing)(stream);
}

void sync_grid(launch::Stream stream, unsigned blocks, int syncs, int* out) {
    GRIDMARK_SELECT(stream, sync_grid)(stream, blocks, syncs, out);
}

}  // namespace gridmark::ceilings
