// RK4_STEP as the slides list it; gpu_overlap8 is the optimised version of the same idea. Each stage's vector
// and each stage's rate has an array of its own in shared memory, for u and for v: y, s and k1 to k4, r1 to
// r4. Every thread knows three boundary branches, and the coefficients have names. Source: slides, listings
// ginzland and RK4_STEP.
//
// What the slides leave out, or what would be wrong, is done so:
// - Three stages and the sum are not shown. Each of these stages is the first one again, from s, and needs a
//   barrier more: a thread must not write s while its neighbours still read it.
// - All threads reach every barrier, and a block writes only what came out right.
// - The two lines that overwrite the first rate by y[t] + y[t+1] + y[t-1] are left over from a test.
// - A block's outer threads read beyond its arrays, as there. At either side of every array lies a slot that
//   no thread writes. What is computed from it is not stored.
// - BLOCKDIM and SYSDIM are constants of the program there and arguments here, and so are the coefficients
//   (arguments of a kernel lie in constant memory).
#include "kernels/ginzburg_landau/chains.hpp"
#include "kernels/ginzburg_landau/gpu.hpp"
#include "kernels/launch/kernel.hpp"

namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR {
namespace listing {

/// D, A, B and STEP of the listing.
template <class T>
struct Names {
    T d, a, b, step;
};

/// The right-hand side of point idx of n, from its place in the arrays of u and v to its place in those of
/// the rates.
template <class T>
__device__ inline void ginzland(const T* s1, const T* s2, T* r1, T* r2, int idx, int n, const Names<T>& c) {
    const T norm = s1[0] * s1[0] + s2[0] * s2[0];
    if (idx == 0) {
        *r1 = c.d * (s1[1] - s1[0] + c.a * (s2[1] - s2[0])) + s1[0] - norm * (s1[0] - c.b * s2[0]);
        *r2 = c.d * (-c.a * (s1[1] - s1[0]) + s2[1] - s2[0]) + s2[0] - norm * (c.b * s1[0] + s2[0]);
    }
    if (idx == n - 1) {
        *r1 = c.d * (s1[-1] - s1[0] + c.a * (s2[-1] - s2[0])) + s1[0] - norm * (s1[0] - c.b * s2[0]);
        *r2 = c.d * (-c.a * (s1[-1] - s1[0]) + s2[-1] - s2[0]) + s2[0] - norm * (c.b * s1[0] + s2[0]);
    }
    if (idx > 0 && idx < n - 1) {
        *r1 = c.d * (s1[1] + s1[-1] - T(2) * s1[0] + c.a * (s2[1] + s2[-1] - T(2) * s2[0])) + s1[0] -
              norm * (s1[0] - c.b * s2[0]);
        *r2 = c.d * (-c.a * (s1[1] + s1[-1] - T(2) * s1[0]) + s2[1] + s2[-1] - T(2) * s2[0]) + s2[0] -
              norm * (c.b * s1[0] + s2[0]);
    }
}

constexpr int arrays = 12;  // of a u or a v each: y, s, four rates

template <class T>
__global__ void listing_kernel(T* res_glo, const T* y_glo, Names<T> c, int n) {
    GRIDMARK_DYNAMIC_SHARED(T, shared);
    const int size = blockDim.x, t = threadIdx.x, first = blockIdx.x * (size - overlap), idx = first + t;
    const auto array = [&](int number) { return shared + number * (size + 1) + 1 + t; };
    T *const y = array(0), *const y2 = array(1), *const s1 = array(2), *const s2 = array(3);
    T *const k1 = array(4), *const k2 = array(5), *const k3 = array(6), *const k4 = array(7);
    T *const r1 = array(8), *const r2 = array(9), *const r3 = array(10), *const r4 = array(11);
    const bool inside = idx < n;

    if (inside) {
        *y = y_glo[idx];
        *y2 = y_glo[n + idx];
    }
    __syncthreads();

    if (inside) {
        ginzland(y, y2, k1, r1, idx, n, c);
        *s1 = *y + c.step * *k1 * T(0.5);
        *s2 = *y2 + c.step * *r1 * T(0.5);
    }
    __syncthreads();

    if (inside) ginzland(s1, s2, k2, r2, idx, n, c);
    __syncthreads();
    if (inside) {
        *s1 = *y + c.step * *k2 * T(0.5);
        *s2 = *y2 + c.step * *r2 * T(0.5);
    }
    __syncthreads();

    if (inside) ginzland(s1, s2, k3, r3, idx, n, c);
    __syncthreads();
    if (inside) {
        *s1 = *y + c.step * *k3;
        *s2 = *y2 + c.step * *r3;
    }
    __syncthreads();

    if (inside) {
        ginzland(s1, s2, k4, r4, idx, n, c);
        *k1 = *y + c.step * (*k1 + T(2) * *k2 + T(2) * *k3 + *k4) * T(1.0 / 6);
        *r1 = *y2 + c.step * (*r1 + T(2) * *r2 + T(2) * *r3 + *r4) * T(1.0 / 6);
    }
    __syncthreads();

    constexpr int halo_width = overlap / 2;
    const int last = min(size, n - first) - 1;  // the block's last thread that has a point
    const int begin = first == 0 ? 0 : halo_width, end = first + last == n - 1 ? last : last - halo_width;
    if (t < begin || t > end) return;
    res_glo[idx] = *k1;
    res_glo[n + idx] = *r1;
}

template <class T>
std::size_t shared_bytes(int block) {
    return sizeof(T) * (1 + static_cast<std::size_t>(arrays) * (static_cast<std::size_t>(block) + 1));
}

template <class T>
void step(launch::Stream stream, const Problem& p, int block, int, const T* now, T* next, T*) {
    const auto blocks = static_cast<unsigned>(overlapping_blocks(p.n, block));
    const launch::Shape shape{{blocks, 1, 1}, {static_cast<unsigned>(block), 1, 1}, shared_bytes<T>(block)};
    // Asked for only where needed: the call takes time on the host, which a step by plain launches would
    // show.
    if (shape.shared_bytes > launch::default_shared_limit)
        launch::allow_dynamic_shared(listing_kernel<T>, shape.shared_bytes);
    const Names<T> names{static_cast<T>(p.d), static_cast<T>(p.a), static_cast<T>(p.b), static_cast<T>(p.dt)};
    launch::launch(stream, shape, listing_kernel<T>, next, now, names, p.n);
}

template <class T>
std::vector<launch::Demand> demand(const Problem& p, int block, int, const launch::Chip&) {
    return overlap_demand(p.n, block, shared_bytes<T>(block), chains::gpu_overlap8_listing);
}

}  // namespace listing

template <class T>
GpuVariant<T> gpu_overlap8_listing() {
    return {.name = "gpu_overlap8_listing",
            .origin = launch::Origin::published,
            .takes_block = true,
            .repeats = true,
            .sweeps = false,
            .repeated_share = repeated_share,
            .check = [](const Problem&, int block) { check_overlapping_block(block); },
            .step = listing::step<T>,
            .info =
                [](const Problem&, int block) {
                    return launch::kernel_info(listing::listing_kernel<T>, static_cast<unsigned>(block),
                                               listing::shared_bytes<T>(block));
                },
            .demand = listing::demand<T>};
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_overlap8_listing);

}  // namespace gridmark::ginzburg_landau::GRIDMARK_EXECUTOR
