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

/// Calls f with the beta that a kernel gets.
template <class T, class F>
void with_beta(const Problem& p, BetaPath path, const BetaFields<T>& beta, F f) {
    if (path == BetaPath::texture)
        f(TextureBeta<T>{beta.texture});
    else
        f(LoadedBeta<T>{beta.array, p.nx, p.ny});
}

/// Blocks that cover the interior, each `bx * by * bz` points.
inline launch::Dim3 blocks_of(const Problem& p, int bx, int by, int bz) {
    const auto blocks = [](int n, int size) { return static_cast<unsigned>((n + size - 1) / size); };
    return {blocks(p.nx, bx), blocks(p.ny, by), blocks(p.nz, bz)};
}

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR

/// Ends a kernel file: the three host functions of step_kernel<T, Beta>, as gpu_variants.cpp declares them.
/// The file defines LAYOUT(problem), and `block` and `points`: a block's threads and points per axis.
#define GRIDMARK_HEAT_VARIANT(NAME, LAYOUT)                                                               \
    template <class T>                                                                                    \
    void prepare_##NAME(launch::Carveout carveout, BetaPath path) {                                       \
        if (path == BetaPath::texture)                                                                    \
            launch::set_carveout(NAME::step_kernel<T, TextureBeta<T>>, carveout);                         \
        else                                                                                              \
            launch::set_carveout(NAME::step_kernel<T, LoadedBeta<T>>, carveout);                          \
    }                                                                                                     \
    template <class T>                                                                                    \
    void step_##NAME(launch::Stream stream, const Problem& p, BetaPath path, const BetaFields<T>& beta,   \
                     const T* now, T* next) {                                                             \
        const Layout layout = LAYOUT(p);                                                                  \
        const launch::Shape shape{blocks_of(p, NAME::points.x, NAME::points.y, NAME::points.z),           \
                                  NAME::block};                                                           \
        with_beta<T>(p, path, beta, [&](auto source) {                                                    \
            launch::launch(stream, shape, NAME::step_kernel<T, decltype(source)>, next + layout.origin(), \
                           now + layout.origin(), source, coefficients<T>(p), grid_of(p, layout),         \
                           static_cast<T>(p.boundary));                                                   \
        });                                                                                               \
    }                                                                                                     \
    template <class T>                                                                                    \
    std::optional<launch::KernelInfo> info_##NAME(BetaPath path) {                                        \
        const unsigned threads = NAME::block.x * NAME::block.y * NAME::block.z;                           \
        return path == BetaPath::texture                                                                  \
                   ? launch::kernel_info(NAME::step_kernel<T, TextureBeta<T>>, threads)                   \
                   : launch::kernel_info(NAME::step_kernel<T, LoadedBeta<T>>, threads);                   \
    }                                                                                                     \
    GRIDMARK_HEAT_INSTANTIATE(NAME, float)                                                                \
    GRIDMARK_HEAT_INSTANTIATE(NAME, double)

#define GRIDMARK_HEAT_INSTANTIATE(NAME, T)                                                                 \
    template void prepare_##NAME<T>(launch::Carveout, BetaPath);                                           \
    template void step_##NAME<T>(launch::Stream, const Problem&, BetaPath, const BetaFields<T>&, const T*, \
                                 T*);                                                                      \
    template std::optional<launch::KernelInfo> info_##NAME<T>(BetaPath);
