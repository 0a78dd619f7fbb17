// Optimised: as near to "read temperature and beta once, write the new temperature once" as single steps
// come.
//
// A warp takes 32 vectors of a row (512 bytes) and marches up through the layers. What a thread has loaded of
// its column waits in a queue of five vectors, two below, one at and two above its layer, so that a point of
// the own column is loaded once. The points left and right of a vector come from the neighbouring lanes by
// shuffle; only the two outer lanes load a pair. The rows before and behind come from the L1 cache: the warps
// of a block take neighbouring rows, and their queues loaded those vectors two layers ago. So there is no
// shared memory and no barrier: each warp runs ahead as far as its loads let it, and 32 warps a
// multiprocessor keep enough of them under way. beta and the new temperature are streamed past the caches.
//
// Rows begin on 128 bytes (line_layout), so that a warp's load is four whole lines.
#include "kernels/heat/chains.hpp"
#include "kernels/heat/gpu_vector.cuh"
#include "kernels/heat/march_layers.hpp"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace queue {

constexpr int warp = 32, rows = 8;
constexpr unsigned all_lanes = 0xFFFFFFFFu;

/// Blocks that a multiprocessor must have registers for: 64 a thread.
constexpr int least_blocks = 4;

/// The points beside the vector of each lane. `at` is its address.
template <class T>
__device__ inline Sides<T> sides_of(const Vector<T>& centre, const T* at) {
    constexpr int width = Vector<T>::width;
    struct alignas(2 * sizeof(T)) Pair {
        T first, second;
    };
    Sides<T> s{__shfl_up_sync(all_lanes, centre.at[width - 2], 1),
               __shfl_up_sync(all_lanes, centre.at[width - 1], 1),
               __shfl_down_sync(all_lanes, centre.at[0], 1), __shfl_down_sync(all_lanes, centre.at[1], 1)};
    const bool first = threadIdx.x == 0, last = threadIdx.x == warp - 1;
    if (first || last) {
        const Pair beyond = launch::load_constant(reinterpret_cast<const Pair*>(at + (first ? -2 : width)));
        if (first)
            s.m2 = beyond.first, s.m1 = beyond.second;
        else
            s.p1 = beyond.first, s.p2 = beyond.second;
    }
    return s;
}

template <class T, bool whole>
__global__ void __launch_bounds__(warp* rows, least_blocks)
    step_kernel(T* __restrict__ next, const T* __restrict__ now, const T* __restrict__ beta,
                Coefficients<T> k, Grid g, int layers) {
    constexpr int width = Vector<T>::width;
    const int x = (blockIdx.x * warp + threadIdx.x) * width, y = blockIdx.y * rows + threadIdx.y;
    if (y >= g.ny) return;  // a warp has one y
    const int begin = blockIdx.z * layers, end = min(begin + layers, g.nz);
    const int count = points_inside<T, whole>(x, g.nx), inside = whole ? width : count;
    // Lanes beyond the grid load what stands right of it: the boundary, for their neighbour's sake. Of beta
    // they load any: loads and arithmetic under a condition would be put behind the shuffles, and wait there.
    const int past = (g.nx + width - 1) / width * width, column = g.at(min(x, past), y, 0);
    const int source = (whole ? min(x, g.nx - width) : x) + g.nx * y;
    const auto layer = [&](int z) { return load_vector(now + column + g.plane * z); };

    Vector<T> m2 = layer(begin - 2), m1 = layer(begin - 1), centre = layer(begin), p1 = layer(begin + 1);
#pragma unroll 2  // more often needs more registers than there are
    for (int z = begin; z < end; ++z) {
        const T* const at = now + column + g.plane * z;
        const Vector<T> p2 = load_vector(at + 2 * g.plane);
        const Vector<T> here_beta = load_points<T, whole>(beta + source + g.nx * g.ny * z, inside);
        const Axis<Vector<T>> rows_beside{load_vector(at - 2 * g.row), load_vector(at - g.row),
                                          load_vector(at + g.row), load_vector(at + 2 * g.row)};
        const Vector<T> result =
            update_vector(k, centre, sides_of(centre, at), rows_beside, {m2, m1, p1, p2}, here_beta, inside);
        if (count > 0) store_points<T, whole>(next + column + g.plane * z, result, inside);
        m2 = m1, m1 = centre, centre = p1, p1 = p2;
    }
}

/// Longer marches load fewer layers twice, but their blocks drift apart and share less in the L2 cache.
constexpr int longest = 64;

constexpr March march_of_layers{.rim = 2 * halo, .shortest = 1, .longest = longest};

/// A warp takes a row of a layer at a time: its own vectors, beta and the store, a share of the rows beside
/// its block's, and a sector at either side; and each layer waits for what it loads two layers ahead.
template <class T>
launch::Demand demand(const Problem& p, int, const launch::Chip& chip) {
    const launch::Dim3 columns = blocks_of(p, warp * Vector<T>::width, rows, p.nz);
    const int resident = chip.resident_blocks > 0 ? chip.resident_blocks : least_blocks;
    const int layers = march_layers(p.nz, columns, static_cast<std::size_t>(resident) * chip.multiprocessors,
                                    march_of_layers);
    const double blocks = columns.x * columns.y * launch::pieces(p.nz, layers), warps = blocks * rows;
    return {.blocks = blocks,
            .block_threads = warp * rows,
            .units = {warps * layers, warps, static_cast<double>(p.nx) * p.ny * p.nz},
            .kernel = launch::instance(p.nx % Vector<T>::width == 0),
            .code_share = std::min(1.0, 3.0 / layers),  // two layers, and what comes before the first
            .loads_ahead = true,
            .chain = chains::gpu_queue(layers)};
}

template <class T, bool whole>
void march(launch::Stream stream, const Problem& p, const T* beta, const T* now, T* next) {
    const auto kernel = step_kernel<T, whole>;
    const Layout layout = line_layout(p, sizeof(T));
    const launch::Dim3 columns = blocks_of(p, warp * Vector<T>::width, rows, p.nz);
    const int layers =
        march_layers(p.nz, columns, launch::resident_blocks(kernel, warp * rows), march_of_layers);
    launch::launch(stream, {blocks_of(p, warp * Vector<T>::width, rows, layers), {warp, rows}}, kernel,
                   next + layout.origin(), now + layout.origin(), beta, coefficients<T>(p),
                   grid_of(p, layout), layers);
}

template <class T>
bool whole_vectors(const Problem& p) {
    return p.nx % Vector<T>::width == 0;
}

template <class T>
void step(launch::Stream stream, const Problem& p, BetaPath, const BetaFields<T>& beta, int, const T* now,
          T* next) {
    const auto launched = whole_vectors<T>(p) ? march<T, true> : march<T, false>;
    launched(stream, p, beta.array, now, next);
}

template <class T>
void prepare(launch::Carveout carveout, BetaPath) {
    launch::set_carveout(step_kernel<T, true>, carveout);
    launch::set_carveout(step_kernel<T, false>, carveout);
}

}  // namespace queue

template <class T>
GpuVariant<T> gpu_queue() {
    return {.name = "gpu_queue",
            .block = "32x8x1",
            .carveout = launch::Carveout::prefer_l1,
            .texture = false,
            .layout = [](const Problem& p) { return line_layout(p, sizeof(T)); },
            .prepare = queue::prepare<T>,
            .step = queue::step<T>,
            .info =
                [](BetaPath) {
                    return launch::kernel_info(queue::step_kernel<T, true>, queue::warp * queue::rows);
                },
            .demand = queue::demand<T>,
            .add = add_interior<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_queue);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
