// Two and three steps in one pass through the memory; see gpu_blocked.cuh for how.
#include "kernels/heat/chains.hpp"
#include "kernels/heat/gpu_blocked.cuh"
#include "kernels/heat/march_layers.hpp"

namespace gridmark::heat::GRIDMARK_EXECUTOR {

/// What is left of the steps is done one by one.
template <class T>
GpuVariant<T> gpu_queue();

namespace blocked {

template <int steps>
constexpr March march_of_layers(int nz) {
    return {.rim = 2 * halo * steps, .shortest = 8, .longest = nz};
}

template <class T, int steps, bool whole>
void advance(launch::Stream stream, const Problem& p, const T* beta, const T* now, T* next) {
    using S = Tile<T, steps>;
    const auto kernel = step_kernel<T, steps, whole>;
    const Layout layout = line_layout(p, sizeof(T));
    const launch::Dim3 tiles = blocks_of(p, S::columns * Vector<T>::width, S::rows, p.nz);
    const int layers = march_layers(p.nz, tiles, launch::resident_blocks(kernel, S::threads, S::shared_bytes),
                                    march_of_layers<steps>(p.nz));
    const launch::Shape shape{
        blocks_of(p, S::columns * Vector<T>::width, S::rows, layers), {S::threads}, S::shared_bytes};
    launch::launch(stream, shape, kernel, next + layout.origin(), now + layout.origin(), beta,
                   coefficients<T>(p), grid_of(p, layout), static_cast<T>(p.boundary), layers);
}

/// A pass takes a layer through all steps: one barrier, but for the first layers, a read of what the pass
/// before stored, and what each scheduler issues meanwhile.
template <class T, int steps>
launch::Demand demand(const Problem& p, int, const launch::Chip& chip) {
    using S = Tile<T, steps>;
    const launch::Dim3 tiles = blocks_of(p, S::columns * Vector<T>::width, S::rows, p.nz);
    const int resident = std::max(chip.resident_blocks, 1),
              layers = march_layers(p.nz, tiles, static_cast<std::size_t>(resident) * chip.multiprocessors,
                                    march_of_layers<steps>(p.nz));
    const double blocks = tiles.x * tiles.y * launch::pieces(p.nz, layers),
                 passes = layers + 2.0 * halo * steps;
    return {.blocks = blocks,
            .block_threads = S::threads,
            .shared_bytes = S::shared_bytes,
            .units = {blocks * passes, blocks * layers, static_cast<double>(p.nx) * p.ny * p.nz},
            .kernel = launch::instance(p.nx % Vector<T>::width == 0),
            .code_share = S::unrolled / passes,
            .loads_ahead = true,
            .chain = chains::gpu_blocked(passes, 2 * halo)};
}

template <class T, int steps>
void step(launch::Stream stream, const Problem& p, BetaPath path, const BetaFields<T>& beta, int count,
          const T* now, T* next) {
    if (count != steps)
        gpu_queue<T>().step(stream, p, path, beta, count, now, next);
    else if (p.nx % Vector<T>::width == 0)
        advance<T, steps, true>(stream, p, beta.array, now, next);
    else
        advance<T, steps, false>(stream, p, beta.array, now, next);
}

template <class T, int steps>
void prepare(launch::Carveout carveout, BetaPath) {
    const auto allow = [&](auto kernel) {
        launch::set_carveout(kernel, carveout);
        launch::allow_dynamic_shared(kernel, Tile<T, steps>::shared_bytes);
    };
    allow(step_kernel<T, steps, true>);
    allow(step_kernel<T, steps, false>);
}

template <class T, int steps>
GpuVariant<T> entry(std::string_view name, std::string_view block) {
    using S = Tile<T, steps>;
    return {.name = name,
            .block = block,
            .carveout = launch::Carveout::prefer_shared,
            .texture = false,
            .shared_memory = true,
            .steps_per_launch = {steps},
            .shared_bytes = S::shared_bytes,
            .layout = [](const Problem& p) { return line_layout(p, sizeof(T)); },
            .prepare = prepare<T, steps>,
            .step = step<T, steps>,
            .info =
                [](BetaPath) {
                    return launch::kernel_info(step_kernel<T, steps, true>, S::threads, S::shared_bytes);
                },
            .demand = demand<T, steps>};
}

}  // namespace blocked

template <class T>
GpuVariant<T> gpu_blocked_2() {
    return blocked::entry<T, 2>("gpu_blocked_2", "324x1x1");
}

template <class T>
GpuVariant<T> gpu_blocked_3() {
    return blocked::entry<T, 3>("gpu_blocked_3", "360x1x1");
}

GRIDMARK_INSTANTIATE_VARIANT(gpu_blocked_2);
GRIDMARK_INSTANTIATE_VARIANT(gpu_blocked_3);

}  // namespace gridmark::heat::GRIDMARK_EXECUTOR
