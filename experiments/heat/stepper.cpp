#include "experiments/heat/stepper.hpp"

#include <algorithm>

#include "harness/two_fields.hpp"

namespace gridmark::heat {
namespace {

template <class T>
harness::Storing<T> stored_in(const Problem& problem, const Layout& layout) {
    return {.put = [=](std::span<const T> interior, T* stored) { store(problem, layout, interior, stored); },
            .get = [=](const T* stored, std::span<T> interior) { load(problem, layout, stored, interior); }};
}

/// Does a step, or as many of at most `most` as a march makes; returns how many. `memory` is the marches', a
/// thread each.
template <class T>
int advance(const Problem& problem, const CpuVariant& variant, const Cut& cut, int threads, int most,
            const T* now, const T* beta, T* next, std::vector<Storage<T>>& memory) {
    if (variant.cut == CutKind::none) {
        cpu_naive(problem, now, beta, next, threads);
    } else if (const auto* const blocking = std::get_if<Blocking>(&cut)) {
        if (variant.isa)
            cpu_vector(*variant.isa, problem, now, beta, next, *blocking, threads);
        else
            cpu_blocked(problem, now, beta, next, *blocking, threads);
    } else {
        Wavefront wavefront = std::get<Wavefront>(cut);
        wavefront.steps = std::min(wavefront.steps, most);
        cpu_wavefront(widest_isa(), problem, now, beta, next, wavefront, memory);
        return wavefront.steps;
    }
    return 1;
}

}  // namespace

template <class T>
std::unique_ptr<Stepper<T>> cpu_stepper(const Problem& problem, const CpuVariant& variant, const Cut& cut,
                                        int threads, const T* beta, const T* added) {
    const Layout layout =
        variant.cut == CutKind::none ? tight_layout(problem) : aligned_layout(problem, sizeof(T));
    return harness::host_stepper<T>({.values = layout.size(),
                                     .steps =
                                         [=, &variant, memory = std::vector<Storage<T>>(threads)](
                                             int count, T*& now, T*& next, T*) mutable {
                                             while (count > 0) {
                                                 count -= advance(problem, variant, cut, threads, count, now,
                                                                  beta, next, memory);
                                                 if (added != nullptr)
                                                     add(problem, layout, added, next, threads);
                                                 std::swap(now, next);
                                             }
                                         },
                                     .storing = stored_in<T>(problem, layout),
                                     .steps_per_launch = variant.steps(sizeof(T))});
}

template <class T>
std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device& device, const Problem& problem, const Kernel& kernel,
                                        const BetaFields<T>& beta, const T* added) {
    const GpuVariant<T>& variant = entry_of<T>(device.executor(), kernel);
    const Layout layout = variant.layout(problem);
    const BetaPath path = kernel.path;
    return harness::device_stepper<T>(
        {.device = device,
         .values = layout.size(),
         .steps_per_launch = variant.steps_per_launch,
         .launch =
             [=, &device, &variant](int steps, const T* now, T* next, unsigned char*) {
                 variant.step(device.stream(), problem, path, beta, steps, now, next);
                 if (added != nullptr) variant.add(device.stream(), problem, layout, added, next);
             },
         .storing = stored_in<T>(problem, layout),
         .select = [=, &variant] { variant.prepare(variant.carveout, path); },
         .info = [=, &variant] { return variant.info(path); }});
}

#define GRIDMARK_INSTANTIATE(T)                                                                          \
    template std::unique_ptr<Stepper<T>> cpu_stepper(const Problem&, const CpuVariant&, const Cut&, int, \
                                                     const T*, const T*);                                \
    template std::unique_ptr<Stepper<T>> gpu_stepper(launch::Device&, const Problem&, const Kernel&,     \
                                                     const BetaFields<T>&, const T*);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat
