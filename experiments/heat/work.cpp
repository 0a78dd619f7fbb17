#include "experiments/heat/work.hpp"

#include "experiments/heat/case.hpp"

namespace gridmark::heat {

template <class T>
std::unique_ptr<harness::Work> gpu_work(launch::Device& device, const Kernel& kernel, int n,
                                        std::uint64_t seed) {
    const auto on_device = shared_device_case<T>(device, n, seed);
    return std::make_unique<harness::StepperWork<T>>(
        on_device->host, on_device,
        gpu_stepper<T>(device, on_device->host->problem, kernel, on_device->fields()));
}

template <class T>
std::unique_ptr<harness::Work> cpu_work(const CpuVariant& variant, int n, const Cut& cut, int threads,
                                        std::uint64_t seed) {
    const auto host = shared_case<T>(n, seed);
    return std::make_unique<harness::StepperWork<T>>(
        host, host, cpu_stepper<T>(host->problem, variant, cut, threads, host->beta.data()));
}

#define GRIDMARK_INSTANTIATE(T)                                                                              \
    template std::unique_ptr<harness::Work> gpu_work<T>(launch::Device&, const Kernel&, int, std::uint64_t); \
    template std::unique_ptr<harness::Work> cpu_work<T>(const CpuVariant&, int, const Cut&, int,             \
                                                        std::uint64_t);
GRIDMARK_INSTANTIATE(float)
GRIDMARK_INSTANTIATE(double)
#undef GRIDMARK_INSTANTIATE

}  // namespace gridmark::heat
