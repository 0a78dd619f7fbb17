#pragma once

#include "kernels/heat/gpu_vector.cuh"

/// The tile of a block that makes several steps in one pass (gpu_blocked.cuh): what it computes, loads and
/// keeps in shared memory.
namespace gridmark::heat::GRIDMARK_EXECUTOR {

/// A plane of a tile in shared memory. A thread owns two rows, 2n and 2n + 1. The even rows are stored first
/// and then the odd ones, so that whichever row the threads of a warp read, relative to their own, they read
/// vectors that follow each other: no two of them in the same bank.
template <int lanes_, int rows_>
struct Plane {
    static constexpr int lanes = lanes_, rows = rows_, size = lanes * rows;
    static_assert(rows % 2 == 0, "threads own two rows each");
    /// Where row d is, counted from an even row; d may be negative.
    __device__ static constexpr int row(int d) { return (d & 1) * (size / 2) + (d >> 1) * lanes; }
};

/// Vectors across and rows of a tile that advances T by `steps` steps. Each step but the last is computed
/// `halo` points farther out on every side than the next one needs, and the loads reach as far once more.
template <class T, int steps>
struct Tile {
    static constexpr int columns = 16, rows = sizeof(T) == 8 && steps == 3 ? 28 : 32;
    static constexpr int vectors(int points) { return (points + Vector<T>::width - 1) / Vector<T>::width; }
    /// Vectors left and right of the tile that are computed, and that are loaded.
    static constexpr int side = vectors(halo * (steps - 1)), loaded_side = vectors(halo * steps);
    using Computed = Plane<columns + 2 * side, rows + 2 * halo*(steps - 1)>;
    using Loaded = Plane<columns + 2 * loaded_side, rows + 2 * halo * steps>;
    static constexpr int pairs = Computed::rows / 2, threads = Computed::lanes * pairs;

    /// How many planes before they are needed temperature and beta are asked for. One is too late: then a
    /// block has nothing under way while it waits for the next plane.
    static constexpr int ahead = 2;
    /// Planes in shared memory: the plane being computed, the two above it and those under way; of each step
    /// but the last, two in turns; beta from the last step's plane to the first's, and under way.
    static constexpr int loaded_planes = 3 + ahead, made_planes = 2 * (steps - 1),
                         beta_planes = 2 * (steps - 1) + 1 + ahead;
    /// How often the march is unrolled: measured.
    static constexpr int unrolled = 5;
    static constexpr int shared_vectors =
        loaded_planes * Loaded::size + (made_planes + beta_planes) * Computed::size;
    static constexpr std::size_t shared_bytes = shared_vectors * sizeof(Vector<T>);
};

/// Which of `planes` planes in turns belongs to the current layer, or to one before or behind it.
template <int planes>
class Turn {
  public:
    __device__ int at(int layers) const {
        const int turn = current_ + layers;
        return turn >= planes ? turn - planes : turn < 0 ? turn + planes : turn;
    }
    __device__ void advance() { current_ = at(1); }

  private:
    int current_ = 0;
};

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
