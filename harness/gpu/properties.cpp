#include "harness/gpu/properties.hpp"

#include <cuda_runtime_api.h>

#include <array>
#include <cstring>

#include "kernels/launch/gpu_check.hpp"
#include "kernels/launch/make_device.hpp"

namespace gridmark::harness {
namespace {

int attribute(cudaDeviceAttr which, int ordinal) {
    int value = 0;
    launch::check_cuda(cudaDeviceGetAttribute(&value, which, ordinal), "reading a property of the GPU");
    return value;
}

cudaDeviceProp read_all(int ordinal) {
    cudaDeviceProp all{};
    launch::check_cuda(cudaGetDeviceProperties(&all, ordinal), "reading the properties of the GPU");
    return all;
}

std::string uuid_of(const cudaDeviceProp& all) {
    unsigned char uuid[16];
    std::memcpy(uuid, &all.uuid, sizeof uuid);
    return format_gpu_uuid(uuid);
}

GpuProperties read(int ordinal) {
    launch::check_cuda(cudaSetDevice(ordinal), "selecting the GPU");
    GpuProperties properties;
    const cudaDeviceProp all = read_all(ordinal);
    properties.name = static_cast<const char*>(all.name);
    properties.uuid = uuid_of(all);
    std::array<char, 32> bus{};
    launch::check_cuda(cudaDeviceGetPCIBusId(bus.data(), static_cast<int>(bus.size()), ordinal),
                       "reading the PCI address of the GPU");
    properties.pci_bus_id = bus.data();
    // Attributes rather than fields of cudaDeviceProp: CUDA 13 dropped several of those.
    properties.compute_capability = std::to_string(attribute(cudaDevAttrComputeCapabilityMajor, ordinal)) +
                                    "." +
                                    std::to_string(attribute(cudaDevAttrComputeCapabilityMinor, ordinal));
    properties.multiprocessors = attribute(cudaDevAttrMultiProcessorCount, ordinal);
    properties.rated_mhz = attribute(cudaDevAttrClockRate, ordinal) / 1000;
    properties.l2_bytes = attribute(cudaDevAttrL2CacheSize, ordinal);
    properties.shared_per_multiprocessor = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, ordinal);
    properties.ecc = attribute(cudaDevAttrEccEnabled, ordinal) != 0;
    properties.cooperative_launch = attribute(cudaDevAttrCooperativeLaunch, ordinal) != 0;
    properties.coherent = attribute(cudaDevAttrPageableMemoryAccessUsesHostPageTables, ordinal) != 0;
    std::size_t free = 0;
    std::size_t total = 0;
    launch::check_cuda(cudaMemGetInfo(&free, &total), "reading the free memory of the GPU");
    properties.memory_free_bytes = static_cast<std::int64_t>(free);
    properties.memory_bytes = static_cast<std::int64_t>(total);
    return properties;
}

template <class T>
Expected<T> read_by(T (*read)(int), int ordinal) {
    if (const auto reason = launch::gpu_unavailable_reason()) return unknown<T>(*reason);
    try {
        return known(read(ordinal));
    } catch (const launch::Error& error) {
        return unknown<T>(error.what());
    }
}

}  // namespace

Expected<GpuProperties> read_gpu_properties(int ordinal) {
    return read_by(read, ordinal);
}

Expected<std::string> read_gpu_uuid(int ordinal) {
    return read_by<std::string>([](int which) { return uuid_of(read_all(which)); }, ordinal);
}

int gpu_ordinal(launch::Device& device) {
    if (device.executor() != launch::Executor::gpu) {
        throw launch::Unavailable("the host executor is no GPU and yields no timing");
    }
    device.synchronize();  // makes its GPU the calling thread's current one
    int ordinal = 0;
    launch::check_cuda(cudaGetDevice(&ordinal), "asking for the current GPU");
    return ordinal;
}

Expected<std::string> read_cuda_runtime_version() {
    int version = 0;
    if (cudaRuntimeGetVersion(&version) != cudaSuccess)
        return unknown<std::string>("cudaRuntimeGetVersion failed");
    return known(format_cuda_version(version));
}

Expected<std::string> read_cuda_driver_version() {
    int version = 0;
    // Without a driver the call succeeds and says 0.
    if (cudaDriverGetVersion(&version) != cudaSuccess || version == 0) {
        return unknown<std::string>("no CUDA driver found");
    }
    return known(format_cuda_version(version));
}

}  // namespace gridmark::harness
