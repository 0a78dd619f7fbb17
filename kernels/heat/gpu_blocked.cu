// Two and three steps in one pass through the memory; see gpu_blocked.cuh for how.
#include "kernels/heat/gpu_blocked.cuh"
#include "kernels/heat/march_layers.hpp"

namespace gridmark::heat::GRIDMARK_EXECUTOR {
namespace blocked {

template <class T, int steps, bool whole>
void advance(launch::Stream stream, const Problem& p, const T* beta, const T* now, T* next) {
    using S = Tile<T, steps>;
    const auto kernel = step_kernel<T, steps, whole>;
    const Layout layout = line_layout(p, sizeof(T));
    const launch::Dim3 tiles = blocks_of(p, S::columns * Vector<T>::width, S::rows, p.nz);
    const int layers = march_layers(p.nz, tiles, launch::resident_blocks(kernel, S::threads, S::shared_bytes),
                                    {.rim = 2 * halo * steps, .shortest = 8, .longest = p.nz});
    const launch::Shape shape{
        blocks_of(p, S::columns * Vector<T>::width, S::rows, layers), {S::threads}, S::shared_bytes};
    launch::launch(stream, shape, kernel, next + layout.origin(), now + layout.origin(), beta,
                   coefficients<T>(p), grid_of(p, layout), static_cast<T>(p.boundary), layers);
}

template <class T, int steps>
void prepare(launch::Carveout carveout) {
    const auto allow = [&](auto kernel) {
        launch::set_carveout(kernel, carveout);
        launch::allow_dynamic_shared(kernel, Tile<T, steps>::shared_bytes);
    };
    allow(step_kernel<T, steps, true>);
    allow(step_kernel<T, steps, false>);
}

}  // namespace blocked

#define GRIDMARK_BLOCKED(STEPS)                                                                             \
    template <class T>                                                                                      \
    void prepare_blocked_##STEPS(launch::Carveout carveout, BetaPath) {                                     \
        blocked::prepare<T, STEPS>(carveout);                                                               \
    }                                                                                                       \
    template <class T>                                                                                      \
    void step_blocked_##STEPS(launch::Stream stream, const Problem& p, BetaPath, const BetaFields<T>& beta, \
                              const T* now, T* next) {                                                      \
        const auto advance = p.nx % Vector<T>::width == 0 ? blocked::advance<T, STEPS, true>                \
                                                          : blocked::advance<T, STEPS, false>;              \
        advance(stream, p, beta.array, now, next);                                                          \
    }                                                                                                       \
    template <class T>                                                                                      \
    std::optional<launch::KernelInfo> info_blocked_##STEPS(BetaPath) {                                      \
        using S = Tile<T, STEPS>;                                                                           \
        return launch::kernel_info(step_kernel<T, STEPS, true>, S::threads, S::shared_bytes);               \
    }                                                                                                       \
    template <class T>                                                                                      \
    std::size_t shared_blocked_##STEPS() {                                                                  \
        return Tile<T, STEPS>::shared_bytes;                                                                \
    }                                                                                                       \
    template std::size_t shared_blocked_##STEPS<float>();                                                   \
    template std::size_t shared_blocked_##STEPS<double>();                                                  \
    GRIDMARK_HEAT_INSTANTIATE(blocked_##STEPS, float)                                                       \
    GRIDMARK_HEAT_INSTANTIATE(blocked_##STEPS, double)

GRIDMARK_BLOCKED(2)
GRIDMARK_BLOCKED(3)

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
