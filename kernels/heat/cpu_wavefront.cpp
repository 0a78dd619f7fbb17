// Several steps in one pass through the memory.
//
// A step at a time reads temperature and beta and writes the new temperature: 12 bytes a point in float, and
// the memory sets the pace. Here a thread takes a tile of the grid through all steps before it moves on, so
// that the memory sees those bytes once for all of them.
//
// The tile is a part of the grid in y and z, of whole rows where they fit. The thread marches along z, and
// the levels of time follow each other like waves: when level 1 (the temperature one step on) is computed in
// planes z and z + 1, level 2 is in planes z - 2 and z - 1, whose neighbours two planes ahead level 1 has
// just left, and so on; the last level goes to `next`. Of a level between only three pairs of planes are
// alive at a time; they stand in a ring that the core's own L2 cache holds, and are overwritten in turn.
//
//      z     0 1   2 3   4 5   6 7        one turn of the march, three steps
//   now      . .   . .   . .   . .   . .
//   level 1                    x x        reads now at z - 2 ... z + 3
//   level 2              x x
//   next           x x
//
// A point needs its neighbours two points away, so a tile that shares nothing with its neighbours must begin
// wider than it ends, by two points a step on either side: level 1 of three covers four more rows and planes
// at each end. Neighbouring tiles compute those twice. It is the price of threads that never wait for each
// other, and the tile's size (wavefront.hpp) weighs it against the room in the cache. Outside the grid all
// levels have the boundary's temperature: rows and columns of the rings that lie there hold it, and a plane
// that lies there is `wall`.
//
// Three things beside:
// - A turn goes through its rows a few at a time, each few through all levels: the core waits for the memory
// in
//   level 1 only, and so the stream from there is spread over the whole turn.
// - Level 1 keeps beta dt / 12 in a ring too: later levels find it near, without a product, and not in
// `beta`,
//   whose planes often lie a power of two apart and crowd into the same sets of the cache.
// - Tiles are handed out as threads ask for them: cores of one machine differ in speed when others use it
// too.
#include <omp.h>

#include <algorithm>

#include "kernels/heat/cpu.hpp"
#include "kernels/heat/cpu_row.hpp"
#include "kernels/precision.hpp"

namespace gridmark::heat {
namespace {

template <class T>
using PairKernel = void (*)(const Coefficients<T>&, const PlanePair<T>&, int, int);

/// Rows that go through all levels before the next ones do.
constexpr int rows_at_once = 4;

/// Points along an axis, `end` excluded.
struct Range {
    int begin, end;
};

template <class T>
struct Fields {
    const T *now, *beta;
    T* next;
};

/// A tile's march through its planes. Levels count from 1 to w.steps.
template <class T>
class March {
  public:
    /// The tile that begins at `corner`; `memory` may come from another one.
    March(const Problem& p, const Wavefront& w, const Extent& corner, const Fields<T>& fields,
          Storage<T>& memory)
        : p_(p),
          w_(w),
          corner_(corner),
          fields_(fields),
          layout_(aligned_layout(p, sizeof(T))),
          room_(tile_room(p, w, sizeof(T))),
          left_(corner.x - room_.rim - static_cast<int>(64 / sizeof(T))),
          top_(corner.y - reach(1) - halo),
          pairs_(w.steps) {
        const std::size_t nowhere = static_cast<std::size_t>(layout_.row()) * w.tile.y;
        if (memory.size() < room_.size() + nowhere) memory.assign(room_.size() + nowhere, T(0));
        memory_ = memory.data();
        for (std::size_t plane = wall(); plane < between(w.steps, 0); ++plane)
            set_outside(plane);
    }

    void run(PairKernel<T> kernel) {
        const Coefficients<T> k = coefficients<T>(p_);
        const Range y = rows(1);
        const int turns = (planes(w_.steps).end + 1) / planes_at_once + w_.steps - 1;
        for (int turn = planes(1).begin / planes_at_once; turn < turns; ++turn) {
            for (int level = 1; level <= w_.steps; ++level)
                pairs_[level - 1] = pair(level, planes_at_once * (turn - level + 1));
            for (int row = y.begin; row < y.end; row += rows_at_once)
                for (const PlanePair<T>& pair : pairs_)
                    kernel(k, pair, std::max(row, pair.first), std::min(row + rows_at_once, pair.last));
        }
    }

  private:
    /// How far a level reaches beyond the tile.
    int reach(int level) const { return halo * (w_.steps - level); }
    static Range within(int n, int begin, int end) { return {std::max(0, begin), std::min(n, end)}; }

    /// What a level computes.
    Range columns(int level) const {
        const int rim = level < w_.steps ? room_.rim : 0;
        return within(p_.nx, corner_.x - rim, corner_.x + w_.tile.x + rim);
    }
    Range rows(int level) const {
        return within(p_.ny, corner_.y - reach(level), corner_.y + w_.tile.y + reach(level));
    }
    Range planes(int level) const {
        return within(p_.nz, corner_.z - reach(level), corner_.z + w_.tile.z + reach(level));
    }

    /// The planes that are kept: the wall, three pairs of each level between, and beta dt / 12.
    static constexpr int alive = 3 * planes_at_once;
    static constexpr std::size_t wall() { return 0; }
    std::size_t between(int level, int z) const { return 1 + alive * (level - 1) + z % alive; }
    std::size_t scaled(int z) const { return 1 + alive * (w_.steps - 1) + z % (planes_at_once * w_.steps); }
    T* kept(std::size_t plane, int x, int y) const {
        return memory_ + plane * room_.plane + (x - left_) +
               static_cast<std::ptrdiff_t>(room_.pitch) * (y - top_);
    }
    /// A point of an array in the version's layout.
    template <class U>
    U* stored(U* array, int x, int y, int z) const {
        return array + layout_.origin() + x + static_cast<std::ptrdiff_t>(layout_.row()) * y +
               static_cast<std::ptrdiff_t>(layout_.plane()) * z;
    }

    void set_outside(std::size_t plane) {
        const T outside = static_cast<T>(p_.boundary);
        const int before = std::max(0, -left_), inside = std::min(room_.pitch, p_.nx - left_);
        for (int y = top_; y < top_ + room_.rows; ++y) {
            T* const row = kept(plane, left_, y);
            const bool whole = plane == wall() || y < 0 || y >= p_.ny;
            std::fill(row, row + (whole ? room_.pitch : before), outside);
            std::fill(row + inside, row + room_.pitch, outside);
        }
    }

    /// Planes z and z + 1 of a level; no rows where it has none there.
    PlanePair<T> pair(int level, int z) const {
        PlanePair<T> pair{};
        const Range depth = planes(level);
        if (z < depth.begin || z >= depth.end) return pair;
        const int x = columns(level).begin, y = rows(level).begin;
        const bool first = level == 1, last = level == w_.steps;
        for (int i = 0; i < planes_at_once + 2 * halo; ++i) {
            const int from = z - halo + i;
            const bool outside = from < 0 || from >= p_.nz;
            pair.now[i] = first ? stored(fields_.now, x, y, std::min(from, p_.nz + halo - 1))
                                : kept(outside ? wall() : between(level - 1, from), x, y);
        }
        for (int i = 0; i < planes_at_once; ++i) {
            const int to = z + i;
            const bool outside = to >= p_.nz;  // the partner of an odd number's last plane
            const std::size_t given =
                x + p_.nx * (y + static_cast<std::size_t>(p_.ny) * std::min(to, p_.nz - 1));
            pair.beta[i] = first ? fields_.beta + given : kept(scaled(to), x, y);
            pair.scaled[i] = first && !last ? kept(scaled(to), x, y) : nullptr;
            pair.next[i] = !last     ? kept(between(level, to), x, y)
                           : outside ? memory_ + room_.size()
                                     : stored(fields_.next, x, y, to);
        }
        pair.now_row = first ? layout_.row() : room_.pitch;
        pair.beta_row = first ? p_.nx : room_.pitch;
        pair.scaled_row = room_.pitch;
        pair.next_row = last ? layout_.row() : room_.pitch;
        pair.first = y;
        pair.last = rows(level).end;
        pair.count = columns(level).end - x;
        pair.is_given = first;
        pair.is_streamed = last && w_.streaming;
        return pair;
    }

    const Problem& p_;
    const Wavefront& w_;
    Extent corner_;
    Fields<T> fields_;
    Layout layout_;
    TileRoom room_;
    int left_, top_;  ///< the point that every kept plane begins with
    T* memory_;
    std::vector<PlanePair<T>> pairs_;
};

}  // namespace

template <class T>
void cpu_wavefront(Isa isa, const Problem& p, const T* now, const T* beta, T* next, const Wavefront& w,
                   std::vector<Storage<T>>& memory) {
    const PairKernel<T> kernel = for_precision<T>(for_isa(isa, GRIDMARK_VERSIONS(pair_float)),
                                                  for_isa(isa, GRIDMARK_VERSIONS(pair_double)));
    const auto tiles = [](int n, int size) { return (n + size - 1) / size; };
    const int x = tiles(p.nx, w.tile.x), y = tiles(p.ny, w.tile.y), z = tiles(p.nz, w.tile.z);
    const int threads = static_cast<int>(memory.size());
#pragma omp parallel num_threads(threads)
    {
        Storage<T>& mine = memory[omp_get_thread_num()];
        // Neighbours in y one after another: what their rims share is still in a cache.
#pragma omp for schedule(dynamic, 1)
        for (int n = 0; n < x * y * z; ++n)
            March<T>(p, w, {n / y % x * w.tile.x, n % y * w.tile.y, n / y / x * w.tile.z}, {now, beta, next},
                     mine)
                .run(kernel);
        if (w.streaming) finish_streaming();
    }
}

template void cpu_wavefront(Isa, const Problem&, const float*, const float*, float*, const Wavefront&,
                            std::vector<Storage<float>>&);
template void cpu_wavefront(Isa, const Problem&, const double*, const double*, double*, const Wavefront&,
                            std::vector<Storage<double>>&);

}  // namespace gridmark::heat
