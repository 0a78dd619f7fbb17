#pragma once

#include "kernels/launch/relay.hpp"
#include "kernels/maxwell/gpu_tiling.cuh"

/// Where a thread of a single pass finds E of the row before its own, for H: in its block's shared memory,
/// or, in a block's first row, with the block before it in the cluster.
namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace single_pass {

/// E along x and z in the row before; H needs no other component of it.
template <class T>
struct EBefore {
    const Pack<T>&x, &z;
};

/// A tile to each block, which computes the row before its first one as well: the rim.
template <class T, int ranks>
class RowBefore {
    static_assert(ranks == 1);

  public:
    __host__ __device__ static std::size_t packs(const Tiling&) { return 0; }
    __device__ RowBefore(const Tiling& tiling, const Column& column, Pack<T>*)
        : back_(column.row > 0 ? -tiling.packs : 0) {}

    __device__ void wait_for_all() const { __syncthreads(); }
    __device__ void send(int, const Pack<T> (&)[3]) {}
    __device__ void behind_barrier(int) {}
    /// `fresh` is the thread's own place in the new E of this plane. A tile's first row has none before it,
    /// and finds itself.
    __device__ EBefore<T> in_plane(int, const Pack<T>* fresh) const {
        return {fresh[back_], fresh[2 * blockDim.x + back_]};
    }

  private:
    const int back_;
};

/// A tile to a cluster of blocks, with one rim for all: each block but the last sends its last row's E to the
/// next one, plane by plane, and may be three planes ahead of it.
template <class T, int ranks>
requires(ranks > 1) class RowBefore<T, ranks> {
    using Messages = launch::Relay<Pack<T>, 4>;

  public:
    __host__ __device__ static std::size_t packs(const Tiling& tiling) {
        return Messages::bytes(2 * tiling.packs) / sizeof(Pack<T>);
    }
    /// By all threads of all blocks; `shared` holds packs().
    __device__ RowBefore(const Tiling& tiling, const Column&, Pack<T>* shared)
        : tiling_(tiling), relay_(shared, 2 * tiling.packs) {}

    __device__ void wait_for_all() const { launch::cluster_barrier(); }
    /// Shows the next block E of plane `number`, counted from the block's first.
    __device__ void send(int number, const Pack<T> (&e)[3]) {
        const int pack = static_cast<int>(threadIdx.x) - (tiling_.rows - 1) * tiling_.packs;
        if (pack < 0 || pack >= tiling_.packs || rank() == ranks - 1) return;
        relay_.wait_for_room(number);
        relay_.send(number, pack, e[0]);
        relay_.send(number, tiling_.packs + pack, e[2]);
    }
    /// When all threads have done with the plane before `number`.
    __device__ void behind_barrier(int number) {
        if (threadIdx.x == 0 && rank() > 0 && number > 0) relay_.release(number - 1);
    }
    __device__ EBefore<T> in_plane(int number, const Pack<T>* fresh) const {
        const bool is_first = static_cast<int>(threadIdx.x) < tiling_.packs;
        const int back = is_first ? 0 : -tiling_.packs;
        if (!is_first || rank() == 0) return {fresh[back], fresh[2 * blockDim.x + back]};
        const Pack<T>* const message = relay_.receive(number) + threadIdx.x;
        return {message[0], message[tiling_.packs]};
    }

  private:
    __device__ static int rank() { return static_cast<int>(blockIdx.x % ranks); }

    const Tiling& tiling_;  ///< what follows from it and the thread's number is not kept: registers are short
    Messages relay_;
};

}  // namespace single_pass
}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
