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

void lay_chain(launch::Stream stream, Link* chain, unsigned lines) {
    GRIDMARK_SELECT(stream, lay_chain)(stream, chain, lines);
}

void follow_chain(launch::Stream stream, const Link* first, unsigned hops, Level level, Link* out) {
    GRIDMARK_SELECT(stream, follow_chain)(stream, first, hops, level, out);
}

void follow_shared_chain(launch::Stream stream, unsigned hops, unsigned* out) {
    GRIDMARK_SELECT(stream, follow_shared_chain)(stream, hops, out);
}

void set_constant_chain(launch::Stream stream) {
    GRIDMARK_SELECT(stream, set_constant_chain)(stream);
}

void follow_constant_chain(launch::Stream stream, unsigned hops, unsigned* out) {
    GRIDMARK_SELECT(stream, follow_constant_chain)(stream, hops, out);
}

void triad_by_tiles(launch::Stream stream, const float* a, const float* b, float* to, int nx, int ny) {
    GRIDMARK_SELECT(stream, triad_by_tiles)(stream, a, b, to, nx, ny);
}

void chain_of_fma_float(launch::Stream stream, int count, float factor, float term, float* out) {
    GRIDMARK_SELECT(stream, chain_of_fma_float)(stream, count, factor, term, out);
}

void chain_of_fma_double(launch::Stream stream, int count, double factor, double term, double* out) {
    GRIDMARK_SELECT(stream, chain_of_fma_double)(stream, count, factor, term, out);
}

void issue_by_one_warp(launch::Stream stream, int count, bool straight, float* out) {
    GRIDMARK_SELECT(stream, issue_by_one_warp)(stream, count, straight, out);
}

void chain_of_divisions(launch::Stream stream, int count, int dividend, int first, int* out) {
    GRIDMARK_SELECT(stream, chain_of_divisions)(stream, count, dividend, first, out);
}

void chain_of_shuffles(launch::Stream stream, int count, int* out) {
    GRIDMARK_SELECT(stream, chain_of_shuffles)(stream, count, out);
}

void meet(launch::Stream stream, unsigned threads, int count, int* out) {
    GRIDMARK_SELECT(stream, meet)(stream, threads, count, out);
}

void bounce(launch::Stream stream, MessageBox* boxes, unsigned first, unsigned count, float* out) {
    GRIDMARK_SELECT(stream, bounce)(stream, boxes, first, count, out);
}

void read_chip(launch::Stream stream, const float* words, unsigned blocks, unsigned passes, bool shared,
               float* out) {
    GRIDMARK_SELECT(stream, read_chip)(stream, words, blocks, passes, shared, out);
}

void issue(launch::Stream stream, Mix mix, unsigned blocks, int turns, float* out) {
    GRIDMARK_SELECT(stream, issue)(stream, mix, blocks, turns, out);
}

float issued_sum(Mix mix, unsigned thread, int turns) {
    float x[issue_chains];
    unsigned bits[issue_chains];
    for (unsigned k = 0; k < issue_chains; ++k) {
        x[k] = static_cast<float>(thread + k);
        bits[k] = thread + k;
    }
    for (int i = 0; i < turns; ++i)
        for (unsigned k = 0; k < issue_chains; ++k) {
            if (mix != Mix::logic) x[k] = x[k] * 0.5F + 1;
            if (mix != Mix::arithmetic)
                bits[k] ^= bits[(k + 1) % issue_chains] ^ bits[(k + 2) % issue_chains];
        }
    float sum = 0;
    for (unsigned k = 0; k < issue_chains; ++k)
        sum += x[k] + static_cast<float>(bits[k]);
    return sum;
}

void launch_blocks(launch::Stream stream, unsigned blocks) {
    GRIDMARK_SELECT(stream, launch_blocks)(stream, blocks);
}

}  // namespace gridmark::ceilings
