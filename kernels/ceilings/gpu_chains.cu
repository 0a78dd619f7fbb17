// Chains of operations that each need the one before, by one thread, one warp or one block; and messages to
// and fro between two blocks. Whoever times two lengths of a chain has the time of an operation from their
// difference.
#include "kernels/ceilings/gpu.hpp"

#include "kernels/launch/error.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/launch/messages.hpp"
#include "kernels/launch/streaming.hpp"

#ifndef GRIDMARK_HOST_EXECUTOR
#include <cooperative_groups.h>
#endif

namespace gridmark::ceilings::GRIDMARK_EXECUTOR {
namespace {

using launch::launch;
using launch::launch_cooperative;

__global__ void lay_kernel(Link* chain, unsigned lines) {
    const unsigned line = blockIdx.x * blockDim.x + threadIdx.x;
    if (line < lines)
        chain[std::size_t{line} * line_links].next = chain + std::size_t{next_line(line, lines)} * line_links;
}

template <Level level>
__global__ void follow_kernel(const Link* first, unsigned hops, Link* out) {
    const Link* at = first;
#pragma unroll 16
    for (unsigned i = 0; i < hops; ++i)
        at = level == Level::l1 ? at->next : launch::load_from_l2(&at->next);
    out->next = at;
}

__global__ void follow_shared_kernel(unsigned hops, unsigned* out) {
    GRIDMARK_SHARED(Link, chain, shared_links);
    for (unsigned k = threadIdx.x; k < shared_links; k += blockDim.x)
        chain[k].next = chain + (k + shared_stride) % shared_links;
    __syncthreads();
    if (threadIdx.x > 0) return;
    const Link* at = chain;
#pragma unroll 16
    for (unsigned i = 0; i < hops; ++i)
        at = at->next;
    *out = static_cast<unsigned>(at - chain);
}

struct ConstantChain {
    unsigned next[constant_links];
};
GRIDMARK_CONSTANT(ConstantChain, constant_chain);

__global__ void follow_constant_kernel(unsigned hops, unsigned* out) {
    unsigned at = 0;
#pragma unroll 8
    for (unsigned i = 0; i < hops; ++i)
        at = constant_chain.next[at];
    *out = at;
}

template <class T>
__global__ void fma_chain_kernel(int count, T factor, T term, T* out) {
    T x = 0;
#pragma unroll 16
    for (int i = 0; i < count; ++i)
        x = x * factor + term;  // nvcc contracts
    *out = x;
}

__device__ void start_chains(float (&x)[issue_chains]) {
    for (unsigned k = 0; k < issue_chains; ++k)
        x[k] = static_cast<float>(threadIdx.x + k);
}

__device__ float sum_of_chains(const float (&x)[issue_chains]) {
    float sum = 0;
    for (unsigned k = 0; k < issue_chains; ++k)
        sum += x[k];
    return sum;
}

__global__ void warp_kernel(int turns, float factor, float* out) {
    float x[issue_chains];
    start_chains(x);
#pragma unroll 16
    for (int i = 0; i < turns; ++i)
        for (unsigned k = 0; k < issue_chains; ++k)
            x[k] = x[k] * factor + 1;  // nvcc contracts
    out[threadIdx.x] = sum_of_chains(x);
}

__global__ void straight_kernel(int times, float factor, float* out) {
    constexpr int turns = straight_instructions / issue_chains;
    float x[issue_chains];
    start_chains(x);
#pragma unroll 1
    for (int time = 0; time < times; ++time) {
#pragma unroll
        for (int i = 0; i < turns; ++i)
            for (unsigned k = 0; k < issue_chains; ++k)
                x[k] = x[k] * factor + 1;
    }
    out[threadIdx.x] = sum_of_chains(x);
}

__global__ void division_chain_kernel(int count, int dividend, int first, int* out) {
    int quotient = first;
#pragma unroll 4
    for (int i = 0; i < count; ++i)
        quotient = dividend / quotient;
    *out = quotient;
}

__global__ void shuffle_chain_kernel(int count, int* out) {
    const int lane = static_cast<int>(threadIdx.x);
    int value = lane;
#pragma unroll 16
    for (int i = 0; i < count; ++i)
        value = __shfl_sync(0xffffffffu, value, (lane + 31) % 32);
    out[threadIdx.x] = value;
}

__global__ void meet_kernel(int count, int* out) {
    int met = 0;
#pragma unroll 8
    for (int i = 0; i < count; ++i) {
        __syncthreads();
        ++met;
    }
    if (threadIdx.x == 0) *out = met;
}

__global__ void bounce_kernel(launch::Message<float>* boxes, unsigned first, unsigned count, float* out) {
    const bool starts = blockIdx.x == 0;
    float value = 0;
    for (unsigned k = first + 1; k <= first + count; ++k) {
        if (starts) launch::send(boxes, k, value + 1);
        launch::wait_until([&] { return launch::read(launch::poll(boxes + starts), k, value); });
        if (!starts) launch::send(boxes + 1, k, value + 1);
    }
    if (starts) *out = value;
}

}  // namespace

void lay_chain(launch::Stream stream, Link* chain, unsigned lines) {
    launch(stream, {{(lines + 255) / 256}, {256}}, lay_kernel, chain, lines);
}

void follow_chain(launch::Stream stream, const Link* first, unsigned hops, Level level, Link* out) {
    launch(stream, {{1}, {1}}, level == Level::l1 ? follow_kernel<Level::l1> : follow_kernel<Level::l2>,
           first, hops, out);
}

void follow_shared_chain(launch::Stream stream, unsigned hops, unsigned* out) {
    launch(stream, {{1}, {32}}, follow_shared_kernel, hops, out);
}

void set_constant_chain(launch::Stream stream) {
    ConstantChain chain;
    for (unsigned k = 0; k < constant_links; ++k)
        chain.next[k] = (k + constant_stride) % constant_links;
    launch::set_constant(stream, constant_chain, chain);
}

void follow_constant_chain(launch::Stream stream, unsigned hops, unsigned* out) {
    launch(stream, {{1}, {1}}, follow_constant_kernel, hops, out);
}

void chain_of_fma_float(launch::Stream stream, int count, float factor, float term, float* out) {
    launch(stream, {{1}, {1}}, fma_chain_kernel<float>, count, factor, term, out);
}

void chain_of_fma_double(launch::Stream stream, int count, double factor, double term, double* out) {
    launch(stream, {{1}, {1}}, fma_chain_kernel<double>, count, factor, term, out);
}

void issue_by_one_warp(launch::Stream stream, int count, bool straight, float* out) {
    constexpr int chains = issue_chains;
    if (!straight)
        launch(stream, {{1}, {32}}, warp_kernel, count / chains, 0.5f, out);
    else
        launch(stream, {{1}, {32}}, straight_kernel, count / straight_instructions, 0.5f, out);
}

void chain_of_divisions(launch::Stream stream, int count, int dividend, int first, int* out) {
    launch(stream, {{1}, {1}}, division_chain_kernel, count, dividend, first, out);
}

void chain_of_shuffles(launch::Stream stream, int count, int* out) {
    launch(stream, {{1}, {32}}, shuffle_chain_kernel, count, out);
}

void meet(launch::Stream stream, unsigned threads, int count, int* out) {
    launch(stream, {{1}, {threads}}, meet_kernel, count, out);
}

void bounce(launch::Stream stream, MessageBox* boxes, unsigned first, unsigned count, float* out) {
    static_assert(sizeof(launch::Message<float>) <= sizeof(MessageBox));
    launch_cooperative(stream, {{2}, {1}}, bounce_kernel, reinterpret_cast<launch::Message<float>*>(boxes),
                       first, count, out);
}

namespace {

__global__ void nothing_kernel() {}

#ifndef GRIDMARK_HOST_EXECUTOR
__global__ void sync_kernel(int syncs, int* out) {
    const auto grid = cooperative_groups::this_grid();
    int done = 0;
    for (int i = 0; i < syncs; ++i) {
        grid.sync();
        ++done;
    }
    if (grid.thread_rank() == 0) *out = done;
}
#endif

}  // namespace

void launch_nothing(launch::Stream stream) {
    launch::launch(stream, {{1}, {32}}, nothing_kernel);
}

#ifdef GRIDMARK_HOST_EXECUTOR

void sync_grid(launch::Stream /*stream*/, unsigned /*blocks*/, int /*syncs*/, int* /*out*/) {
    throw launch::Unavailable("the host executor has no grid-wide barrier");
}

#else

// The one launch that does not go through launch::launch, which knows no cooperative launches.
void sync_grid(launch::Stream stream, unsigned blocks, int syncs, int* out) {
    launch::check_gpu_launch(stream, {{blocks}, {256}});
    void* arguments[] = {&syncs, &out};
    launch::check_cuda(
        cudaLaunchCooperativeKernel(reinterpret_cast<const void*>(sync_kernel), dim3(blocks), dim3(256),
                                    arguments, 0, static_cast<cudaStream_t>(stream.handle)),
        "launching a cooperative kernel");
}

#endif

}  // namespace gridmark::ceilings::GRIDMARK_EXECUTOR
