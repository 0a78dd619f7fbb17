#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/expected.hpp"

namespace gridmark::harness {

/// What the driver's management library says about one GPU. Every entry fails on its own: containers, virtual
/// GPUs and older drivers refuse some.
struct NvmlState {
    Expected<std::string> uuid;
    Expected<bool> ecc, persistence, mig;
    Expected<double> power_cap_watts, power_watts;
    Expected<unsigned> sm_mhz, memory_mhz, sm_max_mhz, memory_max_mhz;
    Expected<unsigned> pci_generation, pci_width, pci_max_generation, pci_max_width;
    Expected<bool> c2c;  ///< whether NVLink-C2C joins it to the processor
    Expected<unsigned> temperature_celsius;
    Expected<std::vector<std::string>> clock_limits;  ///< what holds the clocks down now; empty: nothing
};

/// Asks NVML about the GPU at a PCI address ("0000:3b:00.0"); it numbers GPUs otherwise than CUDA does, so
/// only the address names the same one. Loads the library when first called; takes milliseconds.
NvmlState read_nvml(const std::string& pci_bus_id);

/// The driver's version, such as "580.95.05".
Expected<std::string> read_nvml_driver_version();

/// The names of the bits that nvmlDeviceGetCurrentClocksEventReasons sets, for the bits that say something.
std::vector<std::string> name_clock_limits(std::uint64_t bits);

}  // namespace gridmark::harness
