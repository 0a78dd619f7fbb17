#include "harness/machine/served_gpu.hpp"

#include "harness/gpu/properties.hpp"
#include "harness/machine/build_info.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {

Coverage coverage_here(const std::string& compute_capability) {
    return coverage_of(build_info::cuda_architectures, compute_capability);
}

std::unique_ptr<launch::Device> served_gpu(int ordinal) {
    auto device = launch::gpu_device(ordinal);
    // Otherwise every launch would fail, each with CUDA's own words.
    if (const auto properties = read_gpu_properties(ordinal)) {
        const std::string& capability = properties.value->compute_capability;
        const Coverage coverage = coverage_here(capability);
        if (coverage.by == Coverage::By::nothing)
            throw launch::Unavailable(coverage_advice(coverage, capability));
    }
    return device;
}

}  // namespace gridmark::harness
