#pragma once

#include <memory>

#include "kernels/diffusion/cpu.hpp"
#include "kernels/diffusion/gpu.hpp"

#include "harness/two_fields.hpp"

namespace gridmark::diffusion {

/// gpu_plain on a device; where that is null, cpu_openmp with `threads` threads. Fields are n values.
template <class T>
std::unique_ptr<harness::Stepper<T>> stepper(launch::Device* device, const Problem& p, int threads) {
    const auto n = static_cast<std::size_t>(p.n);
    if (device == nullptr)
        return harness::host_stepper<T>(
            {.values = n, .steps = harness::one_by_one<T>([=](const T* now, T* next) {
                              cpu_openmp(p, now, next, threads);
                          })});
    const launch::Stream stream = device->stream();
    return harness::device_stepper<T>({.device = *device,
                                       .values = n,
                                       .launch =
                                           [=](int, const T* now, T* next, unsigned char*) {
                                               GRIDMARK_SELECT(stream, gpu_plain<T>)(stream, p, now, next);
                                           },
                                       .info = [=] { return GRIDMARK_SELECT(stream, gpu_plain_info<T>)(); }});
}

}  // namespace gridmark::diffusion
