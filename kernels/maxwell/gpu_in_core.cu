// As published: a kernel for each of the six components, a block for each row of it, the row's values shared
// by threads along z. Blocks are numbered along x first, as in the paper's listing, though rows lie along y
// in memory. Rows longer than a block has threads take several turns. Source: paper, section 6.
//
// The same kernels try what the paper says of them: the three of a field in streams of their own; boundaries
// on the CPU; and the cells' materials looked up and averaged instead of nine arrays.
#include "kernels/launch/kernel.hpp"
#include "kernels/maxwell/chains.hpp"
#include "kernels/maxwell/gpu.hpp"
#include "kernels/maxwell/gpu_pack.cuh"

namespace gridmark::maxwell::GRIDMARK_EXECUTOR {
namespace six {

constexpr int most_threads = 1024;
constexpr int most_rows = 65535;  ///< blocks along the second dimension of a launch
constexpr int warp = 32;

/// Where a node's coefficients come from: the nine arrays.
struct FromNine {
    template <int c, class T>
    __device__ static OfEdge<T> of_e(const Arrays<T>& arrays, int x, int y, int z) {
        return {__ldg(arrays.eps.row(arrays.layout, c, x, y) + z),
                __ldg(arrays.sigma.row(arrays.layout, c, x, y) + z)};
    }
    template <int c, class T>
    __device__ static T of_h(const Arrays<T>& arrays, int x, int y, int z) {
        return __ldg(arrays.mu.row(arrays.layout, c, x, y) + z);
    }
};
/// Or the materials of the cells around it.
struct FromCells {
    template <int c, class T>
    __device__ static OfEdge<T> of_e(const Arrays<T>& arrays, int x, int y, int z) {
        return arrays.cells.template of_e<c>(x, y, z);
    }
    template <int c, class T>
    __device__ static T of_h(const Arrays<T>& arrays, int x, int y, int z) {
        return arrays.cells.template of_h<c>(x, y, z);
    }
};

/// Component c of E at (x, y, z) a step later.
template <int c, class Materials, class T>
__device__ inline T e_at(const Arrays<T>& arrays, int x, int y, int z) {
    constexpr int a = next(c), b = before(c);
    const Layout& l = arrays.layout;
    const int at[3] = {x, y, z};
    const T* const hb = arrays.h.row(l, b, x, y) + z;
    const T* const ha = arrays.h.row(l, a, x, y) + z;
    const T* const hb_high = arrays.h.row(l, b, x + (a == 0), y + (a == 1)) + z + (a == along_z);
    const T* const ha_high = arrays.h.row(l, a, x + (b == 0), y + (b == 1)) + z + (b == along_z);
    const T rot =
        rotation(*hb, *hb_high, __ldg(arrays.half[a] + at[a]), *ha, *ha_high, __ldg(arrays.half[b] + at[b]));
    const OfEdge<T> material = Materials::template of_e<c>(arrays, x, y, z);
    return next_e(arrays.e.row(l, c, x, y)[z], rot, material.eps, material.sigma, arrays.dct);
}

/// Component c of H at (x, y, z) a step later.
template <int c, class Materials, class T>
__device__ inline T h_at(const Arrays<T>& arrays, int x, int y, int z) {
    constexpr int a = next(c), b = before(c);
    const Layout& l = arrays.layout;
    const int at[3] = {x, y, z};
    const T* const eb = arrays.e.row(l, b, x, y) + z;
    const T* const ea = arrays.e.row(l, a, x, y) + z;
    const T* const eb_low = arrays.e.row(l, b, x - (a == 0), y - (a == 1)) + z - (a == along_z);
    const T* const ea_low = arrays.e.row(l, a, x - (b == 0), y - (b == 1)) + z - (b == along_z);
    const T rot =
        rotation(*eb_low, *eb, __ldg(arrays.node[a] + at[a]), *ea_low, *ea, __ldg(arrays.node[b] + at[b]));
    return next_h(arrays.h.row(l, c, x, y)[z], rot, Materials::template of_h<c>(arrays, x, y, z), arrays.dct);
}

template <class T, int c, class Materials>
__global__ void e_kernel(Arrays<T> arrays, int x0, int y0) {
    const int x = x0 + blockIdx.x;
    for (int y = y0 + blockIdx.y; y < arrays.layout.n[1]; y += gridDim.y)
        for (int z = threadIdx.x; z < arrays.layout.n[2]; z += blockDim.x)
            if (z >= first_e(c, 2))
                arrays.e.row(arrays.layout, c, x, y)[z] = e_at<c, Materials>(arrays, x, y, z);
}

template <class T, int c, class Materials>
__global__ void h_kernel(Arrays<T> arrays, int x0, int y0) {
    const int x = x0 + blockIdx.x;
    for (int y = y0 + blockIdx.y; y < arrays.layout.n[1]; y += gridDim.y)
        for (int z = threadIdx.x; z < arrays.layout.n[2]; z += blockDim.x)
            if (z >= first_h(c, 2))
                arrays.h.row(arrays.layout, c, x, y)[z] = h_at<c, Materials>(arrays, x, y, z);
}

/// Threads for a row of n values: whole warps, as few turns as can be.
unsigned threads_for(int n) {
    const int turns = (n + most_threads - 1) / most_threads;
    return static_cast<unsigned>(((n + turns - 1) / turns + warp - 1) / warp * warp);
}

template <class T>
void launch_rows(launch::Stream stream, const Arrays<T>& arrays, void (*kernel)(Arrays<T>, int, int), int x0,
                 int x1, int y0) {
    if (x0 >= x1) return;
    const launch::Shape shape{
        {static_cast<unsigned>(x1 - x0), static_cast<unsigned>(min(arrays.layout.n[1] - y0, most_rows)), 1},
        {threads_for(arrays.layout.n[2]), 1, 1}};
    launch::launch(stream, shape, kernel, arrays, x0, y0);
}

template <class T, class Materials, int c>
void launch_e(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch_rows(stream, arrays, e_kernel<T, c, Materials>, max(x0, first_e(c, 0)), x1, first_e(c, 1));
}

template <class T, class Materials, int c>
void launch_h(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch_rows(stream, arrays, h_kernel<T, c, Materials>, max(x0, first_h(c, 0)), x1, first_h(c, 1));
}

template <class T, class Materials>
void advance_e(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch_e<T, Materials, 0>(stream, arrays, x0, x1);
    launch_e<T, Materials, 1>(stream, arrays, x0, x1);
    launch_e<T, Materials, 2>(stream, arrays, x0, x1);
}

template <class T, class Materials>
void advance_h(launch::Stream stream, const Arrays<T>& arrays, int x0, int x1) {
    launch_h<T, Materials, 0>(stream, arrays, x0, x1);
    launch_h<T, Materials, 1>(stream, arrays, x0, x1);
    launch_h<T, Materials, 2>(stream, arrays, x0, x1);
}

template <class T>
void advance_one(launch::Stream stream, const Arrays<T>& arrays, int component, int x0, int x1) {
    constexpr void (*kernels[])(launch::Stream, const Arrays<T>&, int, int) = {
        launch_e<T, FromNine, 0>, launch_e<T, FromNine, 1>, launch_e<T, FromNine, 2>,
        launch_h<T, FromNine, 0>, launch_h<T, FromNine, 1>, launch_h<T, FromNine, 2>};
    kernels[component](stream, arrays, x0, x1);
}

template <class T, class Materials>
std::optional<launch::KernelInfo> info(const Layout& layout) {
    return launch::kernel_info(e_kernel<T, 0, Materials>, threads_for(layout.n[2]));
}

/// Three kernels of E, which move six values a cell, and three of H, which move five.
template <class T>
std::vector<launch::Demand> demand(int nx, int ny, int nz, const launch::Chip&) {
    const double cells = static_cast<double>(nx) * ny * nz;
    const auto three = [&](std::string_view kernel, double values) {
        return launch::Demand{.blocks = static_cast<double>(nx) * ny,
                              .block_threads = static_cast<double>(threads_for(nz)),
                              .memory_bytes = cells * values * sizeof(T),
                              .units = {cells, static_cast<double>(nx) * ny},
                              .kernel = kernel,
                              .code_share = 1,
                              .chain = chains::half_step,
                              .times = 3};
    };
    return {three("e_kernel", 6), three("h_kernel", 5)};
}

/// The six kernels with the paper's boundaries.
template <class T, class Materials>
GpuVariant<T> variant(std::string_view name) {
    return {.name = name,
            .origin = launch::Origin::published,
            .launches = 6,
            .values_per_cell = values_six,
            .faces = Faces::rows,
            .advance_e = advance_e<T, Materials>,
            .advance_h = advance_h<T, Materials>,
            .info = info<T, Materials>,
            .demand = demand<T>};
}

}  // namespace six

template <class T>
GpuVariant<T> gpu_in_core() {
    return six::variant<T, six::FromNine>("gpu_in_core");
}

/// The three kernels of a field in streams of their own.
template <class T>
GpuVariant<T> gpu_in_core_concurrent() {
    GpuVariant<T> variant = six::variant<T, six::FromNine>("gpu_in_core_concurrent");
    variant.ablation = true;
    variant.advance_one = six::advance_one<T>;
    return variant;
}

/// Boundaries and wave on the CPU; the faces go there and back in every step.
template <class T>
GpuVariant<T> gpu_in_core_host_faces() {
    GpuVariant<T> variant = six::variant<T, six::FromNine>("gpu_in_core_host_faces");
    variant.ablation = true;
    variant.faces = Faces::host;
    return variant;
}

/// Materials of the cells, looked up and averaged in every step.
template <class T>
GpuVariant<T> gpu_in_core_lookup() {
    GpuVariant<T> variant = six::variant<T, six::FromCells>("gpu_in_core_lookup");
    variant.ablation = true;
    variant.looks_up = true;
    variant.values_per_cell = values_lookup<T>;
    variant.flops_per_cell = flops_per_cell_lookup;
    variant.demand = nullptr;  // its look-ups are not counted
    return variant;
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_in_core);
GRIDMARK_INSTANTIATE_VARIANT(gpu_in_core_concurrent);
GRIDMARK_INSTANTIATE_VARIANT(gpu_in_core_host_faces);
GRIDMARK_INSTANTIATE_VARIANT(gpu_in_core_lookup);

}  // namespace gridmark::maxwell::GRIDMARK_EXECUTOR
