#pragma once

#include "kernels/heat/gpu_vector.cuh"
#include "kernels/launch/async_copy.hpp"

/// The tile of a block that makes several steps in one pass (gpu_blocked.cuh): what it computes, loads and
/// keeps in shared memory; and how what it needs of the global arrays is copied there, plane by plane, while
/// it computes others.
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

/// A layer of a thread's own two vectors.
template <class T>
struct Own {
    Vector<T> row[2];
};

/// One thread's share of the copies. What lies outside the grid and its halo is not copied: no point inside
/// depends on it. `x` and `y` are those of the thread's first point, `tile_x` and `tile_y` those of the tile.
template <class T, int steps, bool whole>
class Loader {
    using S = Tile<T, steps>;
    using Loaded = typename S::Loaded;
    static constexpr int width = Vector<T>::width;
    static constexpr int shares = (Loaded::size + S::threads - 1) / S::threads;
    static constexpr int nothing = -(1 << 30);

  public:
    __device__ Loader(const T* now, const T* beta, const Grid& g, int tile_x, int tile_y, int x, int y)
        : now_(now), beta_(beta), count_(x < 0 ? 0 : points_inside<T, whole>(x, g.nx)) {
        const int thread = threadIdx.x;
#pragma unroll
        for (int i = 0; i < shares; ++i) {
            const int v = thread + i * S::threads, line = v / Loaded::lanes;
            const int vx = tile_x + (v % Loaded::lanes - S::loaded_side) * width;
            const int vy = tile_y + line % (Loaded::rows / 2) * 2 + line / (Loaded::rows / 2) - halo * steps;
            const bool wanted = v < Loaded::size && needed(g, vx, vy);
            from_[i] = wanted ? g.at(vx, vy, 0) : nothing;
        }
#pragma unroll
        for (int r = 0; r < 2; ++r)
            beta_from_[r] = count_ > 0 && y + r >= 0 && y + r < g.ny ? x + g.nx * (y + r) : nothing;
    }

    /// Starts copying the temperature of layer z.
    __device__ void temperature(Vector<T>* plane, const Grid& g, int z) const {
        if (z < -halo || z >= g.nz + halo) return;
        const T* const layer = now_ + g.at(0, 0, z);
#pragma unroll
        for (int i = 0; i < shares; ++i)
            if (from_[i] != nothing)
                launch::copy_async(plane + threadIdx.x + i * S::threads,
                                   reinterpret_cast<const Vector<T>*>(layer + from_[i]));
    }

    /// Starts copying beta of layer z for the thread's own points: each row in the order of the threads.
    __device__ void beta(Vector<T>* plane, const Grid& g, int z) const {
        if (z < 0 || z >= g.nz) return;
        const T* const layer = beta_ + g.nx * g.ny * z;
#pragma unroll
        for (int r = 0; r < 2; ++r) {
            if (beta_from_[r] == nothing) continue;
            Vector<T>* const to = plane + threadIdx.x + r * S::threads;
            const T* const from = layer + beta_from_[r];
            if constexpr (whole) {
                launch::copy_async(to, reinterpret_cast<const Vector<T>*>(from));
            } else {
#pragma unroll
                for (int v = 0; v < width; ++v)
                    if (v < count_) launch::copy_async(to->at + v, from + v);
            }
        }
    }

    /// The thread's own temperatures of layer z, now; anything where none is stored.
    __device__ Own<T> own(const Grid& g, int x, int y, int z) const {
        Own<T> result{};
#pragma unroll
        for (int r = 0; r < 2; ++r)
            if (needed(g, x, y + r) && z >= -halo && z < g.nz + halo)
                result.row[r] = load_vector(now_ + g.at(x, y + r, z));
        return result;
    }

  private:
    /// Whether a point of the grid has a neighbour in the vector at (x, y): inside, or in the halo beside a
    /// row or a column of the grid. (What stands in the halo's corners nobody asks for, and the last one
    /// would end beyond the array.)
    __device__ static bool needed(const Grid& g, int x, int y) {
        const bool row = y >= 0 && y < g.ny, column = x >= 0 && x < g.nx;
        return (row && x + width > -halo && x < g.nx + halo) || (column && y >= -halo && y < g.ny + halo);
    }

    const T *now_, *beta_;
    int count_, from_[shares], beta_from_[2];
};

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
