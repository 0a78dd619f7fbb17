#pragma once

#include <cstddef>

#include "kernels/ceilings/chain.hpp"
#include "kernels/launch/dispatch.hpp"

/// What a GPU can do at most: kernels of the ceilings.
namespace gridmark::ceilings {

// Copies by a kernel, 16 bytes at a time: the rate at which a stencil could stream at best.

/// In copy_rotating(), how many tiles further each pass reads: coprime to the usual counts of
/// multiprocessors, so that no multiprocessor finds in its L1 cache what an earlier pass left there.
inline constexpr unsigned rotation = 37;

/// Copies `bytes`; both addresses are aligned to 16 bytes.
void copy_bytes(launch::Stream stream, const void* from, void* to, std::size_t bytes);

/// For data that stays in L2: cuts it into `tiles` equal tiles, one per block, and `passes` times writes tile
/// t of `to` from tile t + pass * rotation (modulo tiles) of `from`, in one launch. Returns the bytes read
/// per pass, the same number being written; a rest smaller than 16 * tiles bytes is left alone.
std::size_t copy_rotating(launch::Stream stream, const void* from, void* to, std::size_t bytes,
                          unsigned tiles, unsigned passes);

// McCalpin's STREAM triad on the GPU: two arrays read, one written, as many stencils do. Memory serves reads
// better than writes, so that this mix runs faster than a copy.

/// to = a + 3 b on the stream's executor, for `count` floats, a multiple of 4; all addresses aligned to 16
/// bytes. `streaming` tells the caches not to keep anything.
void gpu_triad(launch::Stream stream, const float* a, const float* b, float* to, std::size_t count,
               bool streaming);

// Chains of multiply-adds in registers: the most arithmetic that a GPU does outside of its tensor cores.

inline constexpr unsigned gpu_fma_threads = 256;  ///< of a block
inline constexpr int gpu_fma_chains = 8;          ///< of a thread

/// Operations of one launch.
constexpr double gpu_fma_flops(unsigned blocks, int iterations) {
    return 2.0 * gpu_fma_chains * gpu_fma_threads * blocks * iterations;
}

/// Starts chain k of thread t (of its block) at t + k, applies x = x * factor + term `iterations` times, and
/// writes each thread's sum over its chains to out[blocks * gpu_fma_threads].
void fma_float(launch::Stream stream, unsigned blocks, int iterations, float factor, float term, float* out);
void fma_double(launch::Stream stream, unsigned blocks, int iterations, double factor, double term,
                double* out);

// Kernels that do nothing, for the costs of launching and of waiting for each other.

/// Launches one warp that does nothing.
void launch_nothing(launch::Stream stream);

/// `blocks` blocks of 256 threads meet at `syncs` grid-wide barriers, in one cooperative launch; out[0]
/// counts them. Throws launch::Unavailable on the host executor, and launch::Error if the blocks cannot all
/// run at once.
void sync_grid(launch::Stream stream, unsigned blocks, int syncs, int* out);

GRIDMARK_BOTH_EXECUTORS(void copy_bytes(launch::Stream stream, const void* from, void* to, std::size_t bytes);
                        std::size_t copy_rotating(launch::Stream stream, const void* from, void* to,
                                                  std::size_t bytes, unsigned tiles, unsigned passes);
                        void gpu_triad(launch::Stream stream, const float* a, const float* b, float* to,
                                       std::size_t count, bool streaming);
                        void fma_float(launch::Stream stream, unsigned blocks, int iterations, float factor,
                                       float term, float* out);
                        void fma_double(launch::Stream stream, unsigned blocks, int iterations, double factor,
                                        double term, double* out);
                        void launch_nothing(launch::Stream stream);
                        void sync_grid(launch::Stream stream, unsigned blocks, int syncs, int* out);)

// What the chip itself can do: its caches, its pipes and its waits.

// Chains in which each operation needs the one before: what an operation costs from use to use.

/// Lays lay_chain() of chain.hpp in the memory of a device.
void lay_chain(launch::Stream stream, Link* chain, unsigned lines);

/// Whether a load may be served by the L1.
enum class Level { l1, l2 };

/// One thread follows a chain from `first`, `hops` times; out->next is the link that it comes to.
void follow_chain(launch::Stream stream, const Link* first, unsigned hops, Level level, Link* out);

inline constexpr unsigned shared_links = 256, shared_stride = 37;
/// The same through shared memory, where link k leads to k + shared_stride modulo shared_links; out[0] is the
/// number of the last one.
void follow_shared_chain(launch::Stream stream, unsigned hops, unsigned* out);

inline constexpr unsigned constant_links = 16384, constant_stride = 64;  ///< of 4 bytes each
/// The same through constant memory, where link k leads to k + constant_stride modulo constant_links. A
/// launch finds nothing of it in a cache: each load comes from the L2, as a kernel's first of its constants
/// does. At most constant_links / constant_stride hops are new ones. set_constant_chain() comes before.
void set_constant_chain(launch::Stream stream);
void follow_constant_chain(launch::Stream stream, unsigned hops, unsigned* out);

/// One thread applies x = x * factor + term `count` times, from x = 0; out[0] is x.
void chain_of_fma_float(launch::Stream stream, int count, float factor, float term, float* out);
void chain_of_fma_double(launch::Stream stream, int count, double factor, double term, double* out);

/// One thread divides `dividend` by what the division before gave, a number that the compiler does not know,
/// `count` times, from `first`; out[0] is the last quotient. None of them may be zero.
void chain_of_divisions(launch::Stream stream, int count, int dividend, int first, int* out);

inline constexpr int straight_instructions = 2048;  ///< of 16 bytes since Volta

/// One warp applies as many multiply-adds to issue_chains numbers, none of which waits for the one before: x
/// = x / 2 + 1, which goes to 2. `straight`: as straight-line code of straight_instructions, run through
/// `count` / straight_instructions times; else in a short loop. Writes out[32].
void issue_by_one_warp(launch::Stream stream, int count, bool straight, float* out);

/// One warp passes its numbers on, each lane from the one before it, `count` times, from 0 to 31; writes
/// out[32].
void chain_of_shuffles(launch::Stream stream, int count, int* out);

/// One block of `threads` meets at `count` barriers and counts them in out[0].
void meet(launch::Stream stream, unsigned threads, int count, int* out);

/// Two blocks send a number to and fro by flag-carrying messages, `count` times each way; each adds 1 to it:
/// out[0] is 2 * count. `boxes` are two messages that held zeros at first, and `first` is the number of
/// messages sent through them before.
struct MessageBox {
    alignas(16) unsigned long long words[2];
};
void bounce(launch::Stream stream, MessageBox* boxes, unsigned first, unsigned count, float* out);

// Throughput of what every multiprocessor has.

inline constexpr unsigned chip_threads = 256;  ///< of a block of the kernels below
inline constexpr unsigned chip_words = 1024;   ///< of 16 bytes each, which read_chip() reads again and again
inline constexpr unsigned chip_loads = 8;      ///< a thread in a pass

/// Every block reads the same `chip_words` words, `passes` times chip_loads a thread, through the L1 or from
/// a copy in shared memory; writes each thread's sum to out[blocks * chip_threads].
void read_chip(launch::Stream stream, const float* words, unsigned blocks, unsigned passes, bool shared,
               float* out);
/// Bytes that this reads.
constexpr double read_chip_bytes(unsigned blocks, unsigned passes) {
    return 16.0 * chip_loads * chip_threads * blocks * passes;
}

/// What a thread issues: multiply-adds of floats, logical operations on integers, or one after the other.
enum class Mix { arithmetic, logic, both };
inline constexpr unsigned issue_chains = 8;

/// `turns` times an instruction of each kind for each of issue_chains chains. Chain k of thread t starts at
/// t + k; a multiply-add is x = x / 2 + 1, a logical operation takes in the next two chains' bits, as many
/// as one instruction can, so that no two become one. Writes
/// each thread's sum of both to out[blocks * chip_threads].
void issue(launch::Stream stream, Mix mix, unsigned blocks, int turns, float* out);
/// Instructions of a warp that this issues, beside those of the loop.
constexpr double issue_instructions(Mix mix, unsigned blocks, int turns) {
    return (mix == Mix::both ? 2.0 : 1.0) * issue_chains * (chip_threads / 32.0) * blocks * turns;
}

/// The sum that thread `thread` of a block writes.
float issued_sum(Mix mix, unsigned thread, int turns);

/// The triad to = a + 3 b of floats by tiles, as many stencils go about a grid: a block of 32 x 8 threads
/// takes 128 bytes of each of 32 rows. `nx` and `ny` are multiples of 32.
void triad_by_tiles(launch::Stream stream, const float* a, const float* b, float* to, int nx, int ny);

/// Launches blocks that do nothing.
void launch_blocks(launch::Stream stream, unsigned blocks);

GRIDMARK_BOTH_EXECUTORS(
    void lay_chain(launch::Stream stream, Link* chain, unsigned lines);
    void follow_chain(launch::Stream stream, const Link* first, unsigned hops, Level level, Link* out);
    void follow_shared_chain(launch::Stream stream, unsigned hops, unsigned* out);
    void set_constant_chain(launch::Stream stream);
    void follow_constant_chain(launch::Stream stream, unsigned hops, unsigned* out);
    void triad_by_tiles(launch::Stream stream, const float* a, const float* b, float* to, int nx, int ny);
    void chain_of_fma_float(launch::Stream stream, int count, float factor, float term, float* out);
    void chain_of_fma_double(launch::Stream stream, int count, double factor, double term, double* out);
    void issue_by_one_warp(launch::Stream stream, int count, bool straight, float* out);
    void chain_of_divisions(launch::Stream stream, int count, int dividend, int first, int* out);
    void chain_of_shuffles(launch::Stream stream, int count, int* out);
    void meet(launch::Stream stream, unsigned threads, int count, int* out);
    void bounce(launch::Stream stream, MessageBox* boxes, unsigned first, unsigned count, float* out);
    void read_chip(launch::Stream stream, const float* words, unsigned blocks, unsigned passes, bool shared,
                   float* out);
    void issue(launch::Stream stream, Mix mix, unsigned blocks, int turns, float* out);
    void launch_blocks(launch::Stream stream, unsigned blocks);)

}  // namespace gridmark::ceilings
