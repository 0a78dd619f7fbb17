// Optimised, for grids that fit on the chip: a launch that stays for as many sweeps as one likes. At 512x256
// a sweep as a launch of its own takes longer to start and to drain than to compute. Here the blocks stay,
// psi and omega in registers, and tell each other what changes at their edges.
//
//   - A block holds a region of 64 x 48 points, a lane 2 x 3 of them. East and west are the neighbouring
//     lanes', by shuffle; north and south pass between warps through shared memory, two buffers in turns, so
//     that a sweep needs one barrier. A warp's first and last row are updated and put out first, and the row
//     between them hides the way.
//   - Regions overlap. A block's own tile is its region less `depth` points at each side where it has a
//     neighbour; these points it updates as well, and each sweep spoils one more of them. After `depth`
//     sweeps it sends those of its own that others need and takes what it has lost.
//
// Messages are messages (launch/messages.hpp), one for two points of a row, in a place of their own on the
// grid: a lane sends and asks for points and knows nothing of blocks. Depth and advance are even, so that no
// message has two senders. There are two buffers, for messages of even and of odd numbers. Message k + 2
// overwrites message k, and nobody needs k any more. The block has read message k + 1 of each neighbour
// before. Each neighbour had read k before it sent k + 1. The barriers between sweeps make that true of all
// lanes of a block.
//
// Fixed points and what lies beyond the grid are kept by a bit each; the outflow column is a column with
// other weights: 1 for west (its east, beyond the grid, is zero), 0 for the rest.
#include <algorithm>
#include <stdexcept>
#include <string>

#include "kernels/jacobi/chains.hpp"
#include "kernels/jacobi/gpu.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/launch/messages.hpp"

namespace gridmark::jacobi::GRIDMARK_EXECUTOR {
namespace persistent {

constexpr int warp = 32, warps = 16, rows = 3, columns = 2;
constexpr int width = warp * columns, height = warps * rows;  // of a region
constexpr unsigned all_lanes = 0xFFFFFFFFu;

/// Sweeps between messages, an even number: more leave a region too small a tile of its own.
constexpr int shallowest = 2, deepest = 12;

/// Two neighbouring points of a row.
template <class T>
struct alignas(2 * sizeof(T)) Two {
    T at[columns];
};

/// How the grid is shared out: tiles along each side, and sweeps between messages.
struct Shares {
    int across, down, depth;
};

/// Where messages lie: two messages for every two points, and the number of each block's last message.
template <class T>
struct Mailbox {
    launch::Message<Two<T>>* messages;
    unsigned* numbers;
};

/// One side of a block's region: begins at `begin`, and from `own` to `end` lies its own tile.
struct Side {
    int begin, own, end;

    __device__ Side(int block, int blocks, int extent, int n, int depth)
        : begin(block * (extent - 2 * depth)),
          own(block == 0 ? 0 : begin + depth),
          end(block == blocks - 1 ? n : begin + extent - depth) {}
    __device__ bool owns(int i) const { return i >= own && i < end; }
    /// Whether a neighbour may need it.
    __device__ bool shares(int i, int depth, int n) const {
        return (own > 0 && i < own + depth) || (end < n && i >= end - depth);
    }
};

/// A lane's points.
template <class T>
struct Patch {
    Two<T> psi[rows], source[rows];  // source: c omega
    Two<T> along, across;            // weights of west and east, of north and south
    unsigned fixed = 0;              // bit 2 r + c

    /// The new values of a row.
    __device__ Two<T> updated(int r, const Two<T>& north, const Two<T>& south, int lane) const {
        const Two<T> here = psi[r];
        const T west = __shfl_up_sync(all_lanes, here.at[1], 1),
                beyond = __shfl_down_sync(all_lanes, here.at[0], 1), east = lane == warp - 1 ? T{0} : beyond;
        const T values[columns] = {
            along.at[0] * (here.at[1] + west) + across.at[0] * (north.at[0] + south.at[0]) + source[r].at[0],
            along.at[1] * (east + here.at[0]) + across.at[1] * (north.at[1] + south.at[1]) + source[r].at[1]};
        return {fixed >> 2 * r & 1u ? here.at[0] : values[0],
                fixed >> (2 * r + 1) & 1u ? here.at[1] : values[1]};
    }
};

/// First and last rows of all warps, and a row of zeros above and below them.
template <class T>
using Edges = Two<T>[(warps + 2) * 2 * warp];

template <class T>
__device__ inline void put_rows(Edges<T>& edges, int w, int lane, const Two<T>& first, const Two<T>& last) {
    edges[(2 * (w + 1)) * warp + lane] = first;
    edges[(2 * (w + 1) + 1) * warp + lane] = last;
}

template <class T>
__device__ inline void sweep(Patch<T>& patch, Edges<T> (&edges)[2], int& turn, int w, int lane) {
    const Two<T> north = edges[turn][(2 * w + 1) * warp + lane],
                 south = edges[turn][2 * (w + 2) * warp + lane];
    const Two<T> first = patch.updated(0, north, patch.psi[1], lane),
                 last = patch.updated(rows - 1, patch.psi[rows - 2], south, lane);
    turn ^= 1;
    put_rows<T>(edges[turn], w, lane, first, last);
    Two<T> above = patch.psi[0];
#pragma unroll
    for (int r = 1; r < rows - 1; ++r) {
        const Two<T> now = patch.updated(r, above, patch.psi[r + 1], lane);
        above = patch.psi[r];
        patch.psi[r] = now;
    }
    patch.psi[0] = first;
    patch.psi[rows - 1] = last;
    __syncthreads();
}

template <class T>
__global__ void __launch_bounds__(warp* warps, 1)
    sweeps_kernel(T* __restrict__ next, const T* __restrict__ psi, const T* __restrict__ omega,
                  Mailbox<T> mailbox, Coefficients<T> k, Body body, int nx, int ny, Shares shares,
                  int sweeps) {
    GRIDMARK_SHARED(Edges<T>, edges, 2);
    const int w = threadIdx.x / warp, lane = threadIdx.x % warp;
    const Side x(blockIdx.x, shares.across, width, nx, shares.depth),
        y(blockIdx.y, shares.down, height, ny, shares.depth);
    const int i = x.begin + lane * columns, j = y.begin + w * rows;
    const int stride = (nx + 1) / 2;  // messages of a row
    const int message = i / 2 + j * stride;

    Patch<T> patch;
    unsigned mine = 0, sent = 0, asked = 0;  // mine: bit 2 r + c; the others: bit r
    for (int c = 0; c < columns; ++c) {
        const bool outflow = i + c == nx - 1;
        patch.along.at[c] = outflow ? T{1} : k.a;
        patch.across.at[c] = outflow ? T{0} : k.b;
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) {
        const int jr = j + r;
        bool free = false;
#pragma unroll
        for (int c = 0; c < columns; ++c) {
            const int ic = i + c;
            const bool inside = ic < nx && jr < ny;
            const bool fixed = !inside || ic == 0 || jr == 0 || jr == ny - 1 ||
                               (ic >= body.x1 && ic <= body.x2 && jr >= body.y1 && jr <= body.y2);
            patch.psi[r].at[c] = inside ? psi[ic + jr * nx] : T{0};
            patch.source[r].at[c] = fixed || ic == nx - 1 ? T{0} : k.c * omega[ic + jr * nx];
            if (fixed) patch.fixed |= 1u << (2 * r + c);
            if (!fixed && x.owns(ic) && y.owns(jr)) mine |= 1u << (2 * r + c);
            free = free || !fixed;
        }
        if (free && !(x.owns(i) && y.owns(jr)))
            asked |= 1u << r;
        else if (free && (x.shares(i, shares.depth, nx) || y.shares(jr, shares.depth, ny)))
            sent |= 1u << r;
    }
    if (w < 2)
        for (int turn = 0; turn < 2; ++turn)
            edges[turn][(w == 0 ? 1 : 2 * (warps + 1)) * warp + lane] = Two<T>{};
    int turn = 0;
    put_rows<T>(edges[turn], w, lane, patch.psi[0], patch.psi[rows - 1]);
    __syncthreads();

    const int block = static_cast<int>(blockIdx.x + blockIdx.y * gridDim.x);
    unsigned number = mailbox.numbers[block];
    for (int done = 0; done < sweeps;) {
        const int chunk = min(shares.depth, sweeps - done);
        for (int s = 0; s < chunk; ++s)
            sweep(patch, edges, turn, w, lane);
        done += chunk;
        if (done == sweeps) break;
        ++number;
        launch::Message<Two<T>>* const place =
            mailbox.messages + static_cast<long>(number & 1u) * stride * ny + message;
#pragma unroll
        for (int r = 0; r < rows; ++r)
            if (sent >> r & 1u) launch::send(place + r * stride, number, patch.psi[r]);
        launch::wait_until([&] {
            launch::Message<Two<T>> copy[rows]{};
#pragma unroll
            for (int r = 0; r < rows; ++r)
                if (asked >> r & 1u) copy[r] = launch::poll(place + r * stride);
            bool all = true;
#pragma unroll
            for (int r = 0; r < rows; ++r)
                if (asked >> r & 1u) all = launch::read(copy[r], number, patch.psi[r]) && all;
            return all;
        });
        turn ^= 1;
        put_rows<T>(edges[turn], w, lane, patch.psi[0], patch.psi[rows - 1]);
        __syncthreads();
    }
#pragma unroll
    for (int r = 0; r < rows; ++r)
#pragma unroll
        for (int c = 0; c < columns; ++c)
            if (mine >> (2 * r + c) & 1u) next[i + c + (j + r) * nx] = patch.psi[r].at[c];
    if (threadIdx.x == 0) mailbox.numbers[block] = number;  // all have read it: there was a barrier
}

constexpr unsigned threads = warp * warps;

/// Tiles of which each, with its halo, is a region: the deepest halos with which every multiprocessor has one
/// at most. Throws std::invalid_argument where there are too few.
template <class T>
Shares share_out(const Problem& p, int most) {
    const auto tiles = [](int n, int extent, int depth) {
        return std::max(1, (n - 2 * depth + extent - 2 * depth - 1) / (extent - 2 * depth));
    };
    for (int depth = deepest; depth >= shallowest; depth -= 2) {
        const Shares shares{tiles(p.nx, width, depth), tiles(p.ny, height, depth), depth};
        if (static_cast<long>(shares.across) * shares.down <= most) return shares;
    }
    throw std::invalid_argument("gpu_persistent keeps the grid on the device's multiprocessors, which hold " +
                                std::to_string(most) + " tiles of up to " +
                                std::to_string(width - 2 * shallowest) + " x " +
                                std::to_string(height - 2 * shallowest) + " points");
}

template <class T>
Shares share_out(const Problem& p) {
    return share_out<T>(
        p, std::min(launch::multiprocessors(), launch::resident_blocks(sweeps_kernel<T>, threads)));
}

template <class T>
std::size_t message_bytes(const Problem& p) {
    return 2 * static_cast<std::size_t>((p.nx + 1) / 2) * p.ny * sizeof(launch::Message<Two<T>>);
}

template <class T>
Mailbox<T> mailbox_in(void* scratch, const Problem& p) {
    auto* const bytes = static_cast<unsigned char*>(scratch);
    return {reinterpret_cast<launch::Message<Two<T>>*>(bytes),
            reinterpret_cast<unsigned*>(bytes + message_bytes<T>(p))};
}

/// Sweeps of a launch. It could make any number; so many that its start costs little of a sweep.
constexpr int most_sweeps = 300;

template <class T>
std::size_t scratch_bytes(const Problem& p) {
    const Shares shares = share_out<T>(p);
    return message_bytes<T>(p) + sizeof(unsigned) * static_cast<std::size_t>(shares.across) * shares.down;
}

template <class T>
void sweeps(launch::Stream stream, const Problem& p, const Tiling&, int count, const Fields<T>& f) {
    const Shares shares = share_out<T>(p);
    const launch::Shape shape{{static_cast<unsigned>(shares.across), static_cast<unsigned>(shares.down)},
                              {threads}};
    launch::launch_cooperative(stream, shape, sweeps_kernel<T>, f.next, f.psi, f.omega,
                               mailbox_in<T>(f.scratch, p), coefficients<T>(p), p.body, p.nx, p.ny, shares,
                               count);
}

/// A sweep is a turn through shared memory, a shuffle and three dependent sums, a barrier, and what four
/// warps of a scheduler issue meanwhile; messages come every `depth` sweeps.
template <class T>
launch::Demand demand(const Problem& p, const Tiling&, int count, const launch::Chip& chip) {
    constexpr double sweeps_in_code = 12;  // of what stands before, between and behind them
    const Shares shares = share_out<T>(p, chip.multiprocessors);
    const double blocks = static_cast<double>(shares.across) * shares.down, sweeps = count,
                 exchanges = launch::pieces(sweeps, shares.depth) - 1;
    return {.blocks = blocks,
            .block_threads = threads,
            .shared_bytes = 2 * sizeof(Edges<T>),
            .units = {blocks * sweeps, static_cast<double>(p.nx) * p.ny, blocks * exchanges},
            .code_share = std::min(1.0, sweeps_in_code / sweeps),
            .loads_ahead = true,
            .chain = chains::gpu_persistent(sweeps, exchanges)};
}

}  // namespace persistent

template <class T>
GpuVariant<T> gpu_persistent() {
    return {.name = "gpu_persistent",
            .shared_memory = true,
            .on_chip = true,
            .steps_per_launch = {persistent::most_sweeps, true},
            .check = [](const Problem& p, const Tiling&) { (void)persistent::share_out<T>(p); },
            .scratch_bytes = persistent::scratch_bytes<T>,
            .sweep = persistent::sweeps<T>,
            .info =
                [](const Tiling&) {
                    return launch::kernel_info(persistent::sweeps_kernel<T>, persistent::threads);
                },
            .demand = persistent::demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_persistent);

}  // namespace gridmark::jacobi::GRIDMARK_EXECUTOR
