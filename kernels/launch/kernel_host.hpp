#pragma once

// kernel.hpp for the host executor. What each function does stands in kernel_cuda.hpp; here is how the host
// does it.

#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kernels/launch/host_grid.hpp"
#include "kernels/launch/host_language.hpp"
#include "kernels/launch/host_warp.hpp"
#include "kernels/launch/kernel_info.hpp"

namespace gridmark::launch {
// See kernel_cuda.hpp for why this namespace is needed.
inline namespace host {

/// Puts the arguments together and lets `run` (executor::run_grid or its like) call `kernel` with them.
template <class Run, class... Params, class... Args>
void run_kernel(Run run, Stream stream, const Shape& shape, void (*kernel)(Params...), Args&&... args) {
    static_assert(sizeof...(Params) == sizeof...(Args), "as many arguments as the kernel has parameters");
    static_assert((std::is_trivially_copyable_v<Params> && ...), "kernel parameters are plain data");
    struct Arguments {
        void (*kernel)(Params...);
        std::tuple<Params...> values;
    };
    const Arguments arguments{kernel, std::tuple<Params...>(std::forward<Args>(args)...)};
    const auto invoke = [](const void* erased) {
        const auto& call = *static_cast<const Arguments*>(erased);
        std::apply(call.kernel, call.values);
    };
    run(stream, shape, reinterpret_cast<const void*>(kernel),
        executor::Call{invoke, &arguments, sizeof arguments});
}

/// Runs `kernel` on `shape` and returns when it is done.
template <class... Params, class... Args>
void launch(Stream stream, const Shape& shape, void (*kernel)(Params...), Args&&... args) {
    run_kernel(executor::run_grid, stream, shape, kernel, std::forward<Args>(args)...);
}

/// The same with all blocks alive at once.
template <class... Params, class... Args>
void launch_cooperative(Stream stream, const Shape& shape, void (*kernel)(Params...), Args&&... args) {
    run_kernel(executor::run_grid_together, stream, shape, kernel, std::forward<Args>(args)...);
}

/// The host has none; so many, that kernels which share out their work find some.
inline int multiprocessors() {
    return 11;
}

/// A few: a fiber each for all their threads.
template <class... Params>
int resident_blocks(void (*)(Params...), unsigned block_threads, std::size_t = 0) {
    return executor::resident_blocks(block_threads);
}

/// Sets a GRIDMARK_CONSTANT for the launches that follow.
template <class T>
void set_constant(Stream stream, T& name, const std::type_identity_t<T>& value) {
    static_assert(sizeof(T) <= 64 * 1024, "constant memory holds 64 KiB");
    executor::check_host(stream);
    name = value;
}

/// Nothing to choose on the host.
template <class... Params>
void set_carveout(void (*)(Params...), Carveout) {}

/// Lets a kernel use up to `bytes` of dynamic shared memory; needed above 48 KiB.
template <class... Params>
void allow_dynamic_shared(void (*kernel)(Params...), std::size_t bytes) {
    executor::allow_dynamic_shared(reinterpret_cast<const void*>(kernel), bytes);
}

/// Always nullopt: registers and occupancy are a GPU's.
template <class... Params>
std::optional<KernelInfo> kernel_info(void (*)(Params...), unsigned, std::size_t = 0) {
    return std::nullopt;
}

}  // namespace host
}  // namespace gridmark::launch
