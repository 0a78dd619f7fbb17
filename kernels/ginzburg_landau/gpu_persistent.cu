// Optimised, for states that fit on the chip: a launch that stays for as many steps as one likes. What a
// launch a step costs, half a microsecond even in a graph, is more than the step itself; so the blocks stay,
// their points in registers, and tell each other the points at their edges.
//
// Nobody hears from a neighbour every stage. Redundant points bridge the time, on two levels:
//
// - A warp holds 32 P points and advances two steps (`inner`) alone, by shuffles (gpu_warp.cuh). Neighbouring
//   warps overlap by what that spoils, 8 points a step, and then take each other's middle from shared memory,
//   with one barrier.
// - A block of W warps holds `own` points and a halo at either side that lasts for `depth` steps, 4 points
//   each. Then it sends its own points and asks for those of its halo, which other blocks send.
//
// A block waits for its neighbours alone, never for the whole grid. They exchange messages
// (launch/messages.hpp): a store, a way through the L2 cache and a load, without a fence in between. A lane
// sends the points that it holds and asks for those that it lacks. No block knows on which multiprocessor
// another runs.
//
// The launch bounds promise one block a multiprocessor. Without that the compiler saves registers, which
// nobody needs here, and puts a shuffle's answer right behind the shuffle: a third of the time was that wait.
//
// There are two buffers for messages: of even and of odd numbers. Message k + 2 overwrites message k, and
// nobody needs k any more. The writer has read message k + 1 of each neighbour before. Each neighbour had
// read k before it sent k + 1.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/ginzburg_landau/chains.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/ginzburg_landau/gpu_warp.cuh"
#include "kernels/launch/messages.hpp"

namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR {
namespace persistent {

/// Steps that a warp does alone, measured: with one the barriers cost more than the points that two repeat.
constexpr int inner = 2;

/// More steps between blocks than these cost more for the messages than they save of waiting.
constexpr int deepest = 16;

/// How the rod is shared out: block b owns points b own ... b own + own - 1, and a halo lasts `depth` steps.
struct Shares {
    int n, own, depth;
};

/// What passes between blocks: two messages a point, and the number of each block's last message.
template <class T>
struct Mailbox {
    launch::Message<Pair<T>>* messages;
    unsigned* numbers;
};

/// A lane's P points: where they lie, and which of them its block sends and which it asks for.
template <int P, int W>
struct ThreadMapping {
    static constexpr int advance = warp * P - 2 * halo_width * inner;  // from warp to warp
    static constexpr int span = (W - 1) * advance + warp * P;          // of a block

    int in_warp;    // index of the first point among the warp's
    int at[P];      // on the rod
    unsigned mine;  // bit p: this lane sends point p and stores it at the end
    unsigned halo;  // bit p: it asks for it. Where neither is set, nobody will miss the point.

    __device__ explicit ThreadMapping(const Shares& shares) {
        const int w = threadIdx.x / warp, side = halo_width * shares.depth;
        in_warp = threadIdx.x % warp * P;
        const int in_block = w * advance + in_warp, first = blockIdx.x * shares.own;
        const int owned = min(shares.own, shares.n - first);
        mine = halo = 0;
        for (int p = 0; p < P; ++p) {
            const int i = in_warp + p, q = in_block + p - side;
            at[p] = mirrored(first + q, shares.n);
            // Of two warps that hold a point one sends it: the one in which it lies further from the edge.
            const bool held =
                (i >= halo_width * inner || w == 0) && (i < warp * P - halo_width * inner || w == W - 1);
            if (q >= 0 && q < owned && held)
                mine |= 1u << p;
            else if (q < owned + side)
                halo |= 1u << p;
        }
    }
};

/// What the warps of a block pass to each other: the points that follow a warp's left rim, and those before
/// its right one.
template <class T, int W>
struct Edges {
    static constexpr int width = halo_width * inner;
    Pair<T> first[W][width], last[W][width];
};

/// Gives the outer points of every warp, which `inner` steps have spoilt, the values of its neighbours in the
/// block, where they lie further inside. Two exchanges that follow each other take turns with two `edges`.
template <class T, int P, int W>
__device__ inline void exchange_in_block(Edges<T, W>& edges, Pair<T> (&y)[P], int in_warp) {
    constexpr int width = Edges<T, W>::width, right = warp * P - width;  // where the right rim begins
    const int w = threadIdx.x / warp;
#pragma unroll
    for (int p = 0; p < P; ++p) {
        const int i = in_warp + p;
        if (i >= width && i < 2 * width) edges.first[w][i - width] = y[p];
        if (i >= right - width && i < right) edges.last[w][i - (right - width)] = y[p];
    }
    __syncthreads();
#pragma unroll
    for (int p = 0; p < P; ++p) {
        const int i = in_warp + p;
        if (i < width && w > 0) y[p] = edges.last[w - 1][i];
        if (i >= right && w < W - 1) y[p] = edges.first[w + 1][i - right];
    }
}

/// Sends this lane's own points and waits for the others.
template <class T, int P, int W>
__device__ inline void exchange_between_blocks(launch::Message<Pair<T>>* messages, unsigned number,
                                               Pair<T> (&y)[P], const ThreadMapping<P, W>& mapping) {
#pragma unroll
    for (int p = 0; p < P; ++p)
        if (mapping.mine >> p & 1u) launch::send(messages + mapping.at[p], number, y[p]);
    launch::wait_until([&] {
        launch::Message<Pair<T>> copy[P]{};
#pragma unroll
        for (int p = 0; p < P; ++p)
            if (mapping.halo >> p & 1u) copy[p] = launch::poll(messages + mapping.at[p]);
        bool all = true;
#pragma unroll
        for (int p = 0; p < P; ++p)
            if (mapping.halo >> p & 1u) all = launch::read(copy[p], number, y[p]) && all;
        return all;
    });
    __syncwarp();
}

template <class T, int P, int W>
__global__ void __launch_bounds__(warp* W, 1)
    steps_kernel(T* __restrict__ next, const T* __restrict__ now, Mailbox<T> mailbox, Coefficients<T> c,
                 Weights<T> w, Shares shares, int steps) {
    using BlockEdges = Edges<T, W>;
    GRIDMARK_SHARED(BlockEdges, edges, 2);
    const int n = shares.n;
    const ThreadMapping<P, W> mapping(shares);
    RegisterTile<T, P> tile;
#pragma unroll
    for (int p = 0; p < P; ++p)
        tile.y[p] = {now[mapping.at[p]], now[n + mapping.at[p]]};

    unsigned number = mailbox.numbers[blockIdx.x];
    int turn = 0;
    for (int done = 0; done < steps;) {
        const int chunk = min(shares.depth, steps - done);
        for (int s = 1; s <= chunk; ++s) {
            tile.step(c, w);
            if (s % inner != 0 || s == chunk) continue;
            exchange_in_block<T, P, W>(edges[turn], tile.y, mapping.in_warp);
            turn ^= 1;
        }
        done += chunk;
        if (done == steps) break;
        ++number;
        exchange_between_blocks(mailbox.messages + static_cast<long>(number & 1u) * n, number, tile.y,
                                mapping);
    }
#pragma unroll
    for (int p = 0; p < P; ++p)
        if (mapping.mine >> p & 1u) {
            next[mapping.at[p]] = tile.y[p].u;
            next[n + mapping.at[p]] = tile.y[p].v;
        }
    __syncthreads();  // all have read the block's number
    if (threadIdx.x == 0) mailbox.numbers[blockIdx.x] = number;
}

/// A size of blocks: how many points it takes, and how it is launched.
template <class T>
struct Size {
    void (*kernel)(T*, const T*, Mailbox<T>, Coefficients<T>, Weights<T>, Shares, int);
    int warps, span;
};
template <class T, int P, int W>
constexpr Size<T> size_of{steps_kernel<T, P, W>, W, ThreadMapping<P, W>::span};

/// How a launch shares out n points: the smallest blocks, one a multiprocessor, with which they fit on the
/// device, halos of two inner rounds included (then a barrier stands between any two exchanges). Throws
/// std::invalid_argument where none does.
template <class T>
struct Layout {
    Size<T> size;
    Shares shares{};

    /// `of_another`: multiprocessors of another device than this one; 0: this one.
    explicit Layout(int n, int of_another = 0) {
        int capacity = 0;
        for (const Size<T>& candidate :
             {size_of<T, 2, 4>, size_of<T, 3, 4>, size_of<T, 4, 8>, size_of<T, 8, 8>}) {
            size = candidate;
            const int most = of_another > 0 ? of_another
                                            : std::min(launch::multiprocessors(),
                                                       launch::resident_blocks(size.kernel, threads()));
            capacity = most * (size.span - 2 * halo_width * 2 * inner);
            if (n > capacity) continue;
            const int own = (n + most - 1) / most;
            const int depth = std::min(deepest, (size.span - own) / (2 * halo_width));
            shares = {n, own, depth / inner * inner};
            return;
        }
        throw std::invalid_argument("n must be at most " + std::to_string(capacity) +
                                    " for gpu_persistent: all points stay on the device's multiprocessors");
    }
    unsigned threads() const { return static_cast<unsigned>(warp * size.warps); }
    unsigned blocks() const { return static_cast<unsigned>((shares.n + shares.own - 1) / shares.own); }
};

/// By points a lane. The blocks exchange their edges every `depth` steps.
template <class T>
std::vector<launch::Demand> demand(const Problem& p, int, int count, const launch::Chip& chip) {
    const Layout<T> layout(p.n, chip.multiprocessors);
    const double blocks = layout.blocks(), steps = count,
                 exchanges = launch::pieces(steps, layout.shares.depth) - 1,
                 lanes = blocks * layout.threads(),
                 points = (layout.size.span + 2.0 * halo_width * inner * (layout.size.warps - 1)) /
                          layout.threads();
    return {{.blocks = blocks,
             .block_threads = static_cast<double>(layout.threads()),
             .units = {lanes * steps * points, lanes * steps, static_cast<double>(p.n)},
             .loads_ahead = true,
             .chain = chains::gpu_persistent(steps, inner, exchanges)}};
}

/// Steps of a launch. It could make any number; so many that its start costs a hundredth of them.
constexpr int most_steps = 300;

template <class T>
void steps(launch::Stream stream, const Problem& p, int, int count, const T* now, T* next, T* scratch) {
    const Layout<T> layout(p.n);
    static_assert(sizeof(launch::Message<Pair<T>>) == 2 * sizeof(Pair<T>), "two of them in four states");
    const Mailbox<T> mailbox{reinterpret_cast<launch::Message<Pair<T>>*>(scratch),
                             reinterpret_cast<unsigned*>(scratch + 4 * p.values())};
    launch::launch_cooperative(stream, {{layout.blocks()}, {layout.threads()}}, layout.size.kernel, next, now,
                               mailbox, coefficients<T>(p), weights<T>(p), layout.shares, count);
}

}  // namespace persistent

template <class T>
GpuVariant<T> gpu_persistent() {
    return {.name = "gpu_persistent",
            .repeats = true,
            .on_chip = true,
            .scratch_states = 5,
            .steps_per_launch = {persistent::most_steps, true},
            .check = [](const Problem& p, int) { (void)persistent::Layout<T>(p.n); },
            .step = persistent::steps<T>,
            .info = [](const Problem& p, int) -> std::optional<launch::KernelInfo> {
                const persistent::Layout<T> layout(p.n);
                return launch::kernel_info(layout.size.kernel, layout.threads());
            },
            .demand = persistent::demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_persistent);

}  // namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR
