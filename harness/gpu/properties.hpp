#pragma once

#include <cstdint>
#include <string>

#include "harness/expected.hpp"
#include "kernels/launch/device.hpp"

namespace gridmark::harness {

/// What the CUDA runtime says about one GPU. Sizes in bytes.
struct GpuProperties {
    std::string name;
    std::string uuid;        ///< "GPU-..." in NVML's spelling; of a MIG slice where there is one
    std::string pci_bus_id;  ///< only to find the same GPU in NVML
    std::string compute_capability;
    int multiprocessors = 0;
    std::int64_t l2_bytes = 0;
    std::int64_t memory_bytes = 0;
    std::int64_t memory_free_bytes = 0;
    std::int64_t shared_per_multiprocessor = 0;
    bool ecc = false;
    bool cooperative_launch = false;
    bool coherent = false;  ///< reads the host's ordinary memory through the host's page tables
};

/// Properties of GPU number `ordinal` in CUDA's order; the reason says why there is none. Creates the GPU's
/// context.
Expected<GpuProperties> read_gpu_properties(int ordinal);

/// CUDA's number of the GPU behind a device. Throws launch::Unavailable for the host executor.
int gpu_ordinal(launch::Device& device);

/// Version of the CUDA runtime built in, and the one that the driver supports, such as "13.0".
Expected<std::string> read_cuda_runtime_version();
Expected<std::string> read_cuda_driver_version();

/// Cores (lanes of single precision) of one multiprocessor of a compute capability such as "9.0"; the reason
/// says where that is not known. Source: CUDA C++ Programming Guide, arithmetic instructions.
Expected<int> cores_per_multiprocessor(const std::string& compute_capability);

/// "GPU-" and the usual dashes from the 16 bytes of a UUID.
std::string format_gpu_uuid(const unsigned char (&bytes)[16]);

/// 13000 -> "13.0", as CUDA and NVML number versions.
std::string format_cuda_version(int version);

}  // namespace gridmark::harness
