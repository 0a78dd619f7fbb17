#pragma once

#include "kernels/heat/gpu.hpp"
#include "kernels/heat/update.hpp"
#include "kernels/launch/kernel.hpp"
#include "kernels/launch/texture_fetch.hpp"

/// What the kernels share: the grid as they index it, and beta by either path.
namespace gridmark::heat::GRIDMARK_EXECUTOR {

/// Interior points per axis, and the distances of rows and planes in the stored temperature. `now` and `next`
/// of a kernel point at the interior's first value.
struct Grid {
    int nx, ny, nz, row, plane;

    __device__ int at(int x, int y, int z) const { return x + y * row + z * plane; }
};

inline Grid grid_of(const Problem& p, const Layout& l) {
    return {p.nx, p.ny, p.nz, l.row(), l.plane()};
}

template <class T>
struct TextureBeta {
    launch::Texture3View<T> texture;
    __device__ T at(int x, int y, int z) const { return launch::fetch(texture, x, y, z); }
};

template <class T>
struct LoadedBeta {
    const T* __restrict__ values;
    int nx, ny;
    __device__ T at(int x, int y, int z) const { return __ldg(values + x + nx * (y + ny * z)); }
};

/// Blocks that cover the interior, each `bx * by * bz` points.
inline launch::Dim3 blocks_of(const Problem& p, int bx, int by, int bz) {
    const auto blocks = [](int n, int size) { return static_cast<unsigned>((n + size - 1) / size); };
    return {blocks(p.nx, bx), blocks(p.ny, by), blocks(p.nz, bz)};
}

/// Threads of a block that adds an interior field, and how many layers each goes through.
constexpr int add_x = 32, add_y = 8, add_z = 8;

template <class T>
__global__ void add_kernel(T* __restrict__ stored, const T* __restrict__ interior, Grid g) {
    const int x = blockIdx.x * add_x + threadIdx.x, y = blockIdx.y * add_y + threadIdx.y,
              z0 = blockIdx.z * add_z;
    if (x >= g.nx || y >= g.ny) return;
    for (int z = z0; z < min(z0 + add_z, g.nz); ++z)
        stored[g.at(x, y, z)] = stored[g.at(x, y, z)] + interior[x + g.nx * (y + g.ny * z)];
}

/// GpuVariant::add of every version that makes a step at a time.
template <class T>
void add_interior(launch::Stream stream, const Problem& p, const Layout& l, const T* interior, T* stored) {
    launch::launch(stream, {blocks_of(p, add_x, add_y, add_z), {add_x, add_y}}, add_kernel<T>,
                   stored + l.origin(), interior, grid_of(p, l));
}

/// What a launch of a published kernel asks of a machine, and the chain of one block.
template <class T>
launch::Demand block_demand(const Problem& p, launch::Dim3 block, Extent points, double shared_values,
                            const launch::Chain& chain) {
    const launch::Dim3 blocks = blocks_of(p, points.x, points.y, points.z);
    return {.blocks = static_cast<double>(launch::volume(blocks)),
            .block_threads = static_cast<double>(launch::volume(block)),
            .shared_bytes = shared_values * sizeof(T),
            .by_tiles = true,
            .units = {static_cast<double>(p.nx) * p.ny * p.nz, static_cast<double>(launch::volume(blocks))},
            .code_share = 1,
            .chain = chain};
}

/// The functions of a published kernel, which takes beta by both paths: `textured` and `loaded` are its two
/// instances, `block` and `points` a block's threads and points per axis.
template <class T, auto textured, auto loaded, Layout (*layout)(const Problem&), launch::Dim3 block,
          Extent points>
struct ByBothPaths {
    static void prepare(launch::Carveout carveout, BetaPath path) {
        if (path == BetaPath::texture)
            launch::set_carveout(textured, carveout);
        else
            launch::set_carveout(loaded, carveout);
    }

    static void step(launch::Stream stream, const Problem& p, BetaPath path, const BetaFields<T>& beta, int,
                     const T* now, T* next) {
        const Layout stored = layout(p);
        const launch::Shape shape{blocks_of(p, points.x, points.y, points.z), block};
        const auto start = [&](auto kernel, auto source) {
            launch::launch(stream, shape, kernel, next + stored.origin(), now + stored.origin(), source,
                           coefficients<T>(p), grid_of(p, stored), static_cast<T>(p.boundary));
        };
        if (path == BetaPath::texture)
            start(textured, TextureBeta<T>{beta.texture});
        else
            start(loaded, LoadedBeta<T>{beta.array, p.nx, p.ny});
    }

    static std::optional<launch::KernelInfo> info(BetaPath path) {
        constexpr unsigned threads = block.x * block.y * block.z;
        return path == BetaPath::texture ? launch::kernel_info(textured, threads)
                                         : launch::kernel_info(loaded, threads);
    }

    static GpuVariant<T> entry(std::string_view name, std::string_view threads, launch::Carveout carveout,
                               launch::Demand (*demand)(const Problem&, int, const launch::Chip&)) {
        return {.name = name,
                .origin = launch::Origin::published,
                .block = threads,
                .carveout = carveout,
                .shared_memory = carveout == launch::Carveout::prefer_shared,
                .layout = layout,
                .prepare = prepare,
                .step = step,
                .info = info,
                .demand = demand,
                .add = add_interior<T>};
    }
};

/// An instance of a version as its ablation of that name.
template <class T>
GpuVariant<T> ablation_of(GpuVariant<T> variant, std::string_view name) {
    variant.ablation = name;
    return variant;
}

/// The version with a small L1 cache, its common store given to shared memory.
template <class T>
GpuVariant<T> with_other_split(GpuVariant<T> variant) {
    variant.carveout = launch::Carveout::prefer_shared;
    return ablation_of(variant, "carveout_shared");
}

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
