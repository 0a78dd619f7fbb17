#include "experiments/jacobi/stepper.hpp"

#include <algorithm>

#include "harness/two_fields.hpp"
#include "kernels/jacobi/cpu.hpp"

namespace gridmark::jacobi {

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads,
                                        std::span<const T> omega) {
    const auto sweep = std::ranges::find(cpu_variants<T>, variant, &CpuVariant<T>::name)->sweep;
    // Its own source, allocated with the buffers: how they lie is then the same for all variants.
    return harness::host_stepper<T>(
        {.values = omega.size(),
         .steps =
             harness::one_by_one<T>([=, own = Storage<T>(omega.begin(), omega.end())](const T* now, T* next) {
                 sweep(problem, now, own.data(), next, threads);
             })});
}

template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem,
                                        const std::string& variant, const Tiling& tiling,
                                        launch::Carveout carveout, const T* omega) {
    const GpuVariant<T>& found = *find_gpu_variant<T>(device.executor(), variant);
    found.check(problem, tiling);
    return harness::device_stepper<T>(
        {.device = device,
         .values = static_cast<std::size_t>(problem.nx) * problem.ny,
         .steps_per_launch = found.steps_per_launch,
         .launch =
             [=, &device, &found](int sweeps, const T* now, T* next, unsigned char* scratch) {
                 found.sweep(device.stream(), problem, tiling, sweeps, {now, omega, next, scratch});
             },
         .scratch_bytes = found.scratch_bytes(problem),
         .select = [=, &device, &found] { found.prepare(device.stream(), problem, tiling, carveout); },
         .info = [=, &found] { return found.info(tiling); }});
}

#define GRIDMARK_INSTANTIATE(T)                                                                           \
    template std::unique_ptr<Stepper<T>> cpu_stepper(const Problem&, const std::string&, int,             \
                                                     std::span<const T>);                                 \
    template std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device&, const Problem&, const std::string&, \
                                                     const Tiling&, launch::Carveout, const T*);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::jacobi
