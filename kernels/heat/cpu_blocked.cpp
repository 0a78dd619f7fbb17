#include <algorithm>

#include "kernels/heat/cpu.hpp"
#include "kernels/heat/cpu_row.hpp"
#include "kernels/precision.hpp"

namespace gridmark::heat {
namespace {

template <class T>
using Row = void (*)(const Coefficients<T>&, const T*, const T*, T*, int, int, int, bool);

/// A range of points, end excluded.
struct Box {
    Extent begin, end;
};

/// Blocks of a box, numbered with z fastest: a thread's next block then lies below the one it just did, and
/// finds its upper planes in the cache.
struct Blocks {
    Box box;
    Extent size;
    Extent count;

    Blocks(const Box& whole, const Extent& block) : box(whole), size(block) {
        const auto blocks = [](int begin, int end, int by) { return (end - begin + by - 1) / by; };
        count = {blocks(box.begin.x, box.end.x, size.x), blocks(box.begin.y, box.end.y, size.y),
                 blocks(box.begin.z, box.end.z, size.z)};
    }
    int total() const { return count.x * count.y * count.z; }
    Box at(int number) const {
        const int z = number % count.z, y = number / count.z % count.y, x = number / count.z / count.y;
        const Extent b{box.begin.x + x * size.x, box.begin.y + y * size.y, box.begin.z + z * size.z};
        return {b,
                {std::min(b.x + size.x, box.end.x), std::min(b.y + size.y, box.end.y),
                 std::min(b.z + size.z, box.end.z)}};
    }
};

template <class T>
void step_blocked(Row<T> row, const Problem& p, const T* now, const T* beta, T* next,
                  const Blocking& blocking, int threads) {
    const Layout l = aligned_layout(p, sizeof(T));
    const Coefficients<T> k = coefficients<T>(p);
    const Blocks outer({{0, 0, 0}, {p.nx, p.ny, p.nz}}, blocking.outer);
    // Aligned stores need block edges on cache lines; the layout sees to the rows.
    const bool streaming = blocking.streaming && blocking.inner.x * sizeof(T) % 64 == 0 &&
                           blocking.outer.x * sizeof(T) % 64 == 0;
#pragma omp parallel num_threads(threads)
    for (int o = 0; o < outer.total(); ++o) {
        const Blocks inner(outer.at(o), blocking.inner);
#pragma omp for schedule(static)
        for (int i = 0; i < inner.total(); ++i) {
            const auto [begin, end] = inner.at(i);
            for (int z = begin.z; z < end.z; ++z)
                for (int y = begin.y; y < end.y; ++y) {
                    const std::size_t at = l.origin() + begin.x + static_cast<std::size_t>(l.row()) * y +
                                           static_cast<std::size_t>(l.plane()) * z;
                    row(k, now + at, beta + begin.x + p.nx * (y + static_cast<std::size_t>(p.ny) * z),
                        next + at, l.row(), l.plane(), end.x - begin.x, streaming);
                }
            if (streaming) finish_streaming();
        }
    }
}

}  // namespace

template <class T>
void cpu_blocked(const Problem& p, const T* now, const T* beta, T* next, const Blocking& blocking,
                 int threads) {
    step_blocked(for_precision<T>(scalar::row_float, scalar::row_double), p, now, beta, next, blocking,
                 threads);
}

template <class T>
void cpu_vector(Isa isa, const Problem& p, const T* now, const T* beta, T* next, const Blocking& blocking,
                int threads) {
    const Row<T> row = for_precision<T>(for_isa(isa, GRIDMARK_VERSIONS(row_float)),
                                        for_isa(isa, GRIDMARK_VERSIONS(row_double)));
    step_blocked(row, p, now, beta, next, blocking, threads);
}

#define GRIDMARK_INSTANTIATE(T)                                                              \
    template void cpu_blocked(const Problem&, const T*, const T*, T*, const Blocking&, int); \
    template void cpu_vector(Isa, const Problem&, const T*, const T*, T*, const Blocking&, int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)

}  // namespace gridmark::heat
