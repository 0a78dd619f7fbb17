#include "experiments/ginzburg_landau/stepper.hpp"

#include <algorithm>
#include <utility>

#include "harness/two_fields.hpp"
#include "kernels/ginzburg_landau/cpu.hpp"

namespace gridmark::ginzburg_landau {

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const std::string& variant, int threads) {
    const CpuVariant<T>& found = *std::ranges::find(cpu_variants<T>, variant, &CpuVariant<T>::name);
    const int team = found.parallel ? threads : 1;
    return harness::host_stepper<T>(
        {.values = problem.values(),
         .steps =
             [=, &found](int count, T*& now, T*& next, T* scratch) {
                 found.steps(problem, now, next, scratch, count, team);
                 if (count % 2 == 1) std::swap(now, next);
             },
         .scratch_fields = static_cast<std::size_t>(found.scratch_states),
         .storing = {.put = [=](std::span<const T> state,
                                T* stored) { copy_state(problem, state.data(), stored, team); },
                     .get = [=](const T* stored,
                                std::span<T> state) { copy_state(problem, stored, state.data(), team); }}});
}

template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem,
                                        const std::string& variant, int block) {
    const GpuVariant<T>& found = *find_gpu_variant<T>(device.executor(), variant);
    found.check(problem, block);
    return harness::device_stepper<T>(
        {.device = device,
         .values = problem.values(),
         .steps_per_launch = found.steps_per_launch,
         .launch =
             [=, &device, &found](int steps, const T* now, T* next, unsigned char* scratch) {
                 found.step(device.stream(), problem, block, steps, now, next, reinterpret_cast<T*>(scratch));
             },
         .scratch_bytes = problem.values() * found.scratch_states * sizeof(T),
         .info = [=, &found] { return found.info(problem, block); }});
}

#define GRIDMARK_INSTANTIATE(T)                                                                           \
    template std::unique_ptr<Stepper<T>> cpu_stepper(const Problem&, const std::string&, int);            \
    template std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device&, const Problem&, const std::string&, \
                                                     int);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::ginzburg_landau
