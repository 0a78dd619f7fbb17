// What the driver's library says of one GPU, by name and unit.

#include <gtest/gtest.h>

#include "harness/gpu/nvml.hpp"
#include "harness/gpu/nvml_library.hpp"
#include "harness/machine/describe_machine.hpp"
#include "tests/nvml/fake_nvml.hpp"

namespace gridmark::harness {
namespace {

using nlohmann::json;
using tests::fake_nvml;
using tests::fake_pci_address;

/// Each of its own number.
void tell_all() {
    auto& nvml = fake_nvml();
    nvml.numbers = {{"MemoryClock", 2619},
                    {"MaxSmClock", 1985},
                    {"MaxMemoryClock", 2620},
                    {"EccMode", 1},
                    {"MigMode", 0},
                    {"PersistenceMode", 1},
                    {"EnforcedPowerLimit", 700'500},
                    {"PowerUsage", 120'250},
                    {"CurrPcieLinkGeneration", 1},
                    {"CurrPcieLinkWidth", 8},
                    {"MaxPcieLinkGeneration", 5},
                    {"MaxPcieLinkWidth", 16},
                    {"C2cModeInfo", 0},
                    {"Temperature", 41}};
    nvml.reasons = 0x4;
}

TEST(NvmlState, IsInMegahertzWattsAndDegrees) {
    tell_all();
    const NvmlState state = read_nvml(fake_pci_address);
    EXPECT_EQ(state.uuid.value, tests::fake_uuid);
    EXPECT_EQ(state.sm_mhz.value, 1980U);
    EXPECT_EQ(state.memory_mhz.value, 2619U);
    EXPECT_EQ(state.sm_max_mhz.value, 1985U);
    EXPECT_EQ(state.memory_max_mhz.value, 2620U);
    EXPECT_EQ(state.power_cap_watts.value, 700.5);
    EXPECT_EQ(state.power_watts.value, 120.25);
    EXPECT_EQ(state.temperature_celsius.value, 41U);
    EXPECT_EQ(state.pci_generation.value, 1U);
    EXPECT_EQ(state.pci_width.value, 8U);
    EXPECT_EQ(state.pci_max_generation.value, 5U);
    EXPECT_EQ(state.pci_max_width.value, 16U);
    EXPECT_EQ(state.clock_limits.value, std::vector<std::string>{"power cap"});
}

TEST(NvmlState, HasSwitches) {
    tell_all();
    const NvmlState state = read_nvml(fake_pci_address);
    EXPECT_EQ(state.ecc.value, true);
    EXPECT_EQ(state.mig.value, false);
    EXPECT_EQ(state.persistence.value, true);
    EXPECT_EQ(state.c2c.value, false);
    fake_nvml().numbers = {{"EccMode", 0}, {"MigMode", 1}, {"PersistenceMode", 0}, {"C2cModeInfo", 1}};
    const NvmlState other = read_nvml(fake_pci_address);
    EXPECT_EQ(other.ecc.value, false);
    EXPECT_EQ(other.mig.value, true);
    EXPECT_EQ(other.persistence.value, false);
    EXPECT_EQ(other.c2c.value, true);
}

TEST(NvmlState, IsUnknownPieceByPiece) {
    tell_all();
    auto& nvml = fake_nvml();
    nvml.numbers = {{"PowerUsage", 5000}};
    nvml.refused = {"clock", "reasons", "older reasons"};
    const NvmlState state = read_nvml(fake_pci_address);
    EXPECT_EQ(state.power_watts.value, 5);
    EXPECT_EQ(state.power_cap_watts.reason, "nvmlDeviceGetEnforcedPowerLimit: Not Supported");
    EXPECT_EQ(state.sm_mhz.reason, "nvmlDeviceGetClockInfo: Not Supported");
    EXPECT_FALSE(state.clock_limits);
    const NvmlState none = read_nvml("0000:00:00.0");
    for (const std::string& reason :
         {none.uuid.reason, none.ecc.reason, none.power_watts.reason, none.c2c.reason,
          none.temperature_celsius.reason, none.clock_limits.reason})
        EXPECT_EQ(reason, "nvmlDeviceGetHandleByPciBusId_v2: Not Supported");
}

TEST(NvmlState, HasTheClocksLimitsOfAnOlderDriver) {
    tell_all();
    auto& nvml = fake_nvml();
    nvml.reasons = 0x80;
    nvml.refused = {"reasons"};
    EXPECT_EQ(read_nvml(fake_pci_address).clock_limits.value, std::vector<std::string>{"power brake"});
}

TEST(NvmlState, StandsInAResultFileUnderItsNames) {
    tell_all();
    GpuProperties properties;
    properties.uuid = "GPU-0001";
    properties.l2_bytes = 50;
    properties.memory_bytes = 90;
    properties.memory_free_bytes = 80;
    properties.shared_per_multiprocessor = 7;
    properties.ecc = true;
    json reasons = json::object();
    const json gpu = describe_gpu(known(properties), read_nvml(fake_pci_address), reasons);
    EXPECT_EQ(reasons, json::object());
    EXPECT_EQ(gpu["clocks"],
              json({{"sm_mhz", 1980}, {"memory_mhz", 2619}, {"sm_max_mhz", 1985}, {"memory_max_mhz", 2620}}));
    EXPECT_EQ(
        gpu["pci"],
        json(
            {{"link_generation", 1}, {"link_width", 8}, {"max_link_generation", 5}, {"max_link_width", 16}}));
    EXPECT_EQ(gpu["power_cap_watts"], 700.5);
    EXPECT_EQ(gpu["persistence_mode"], true);
    EXPECT_EQ(gpu["mig_mode"], false);
    EXPECT_EQ(gpu["uuid"], "GPU-0001");
    EXPECT_EQ(gpu["l2_bytes"], 50);
    EXPECT_EQ(gpu["memory_bytes"], 90);
    EXPECT_EQ(gpu["memory_free_bytes"], 80);
    EXPECT_EQ(gpu["shared_per_multiprocessor"], 7);
    EXPECT_EQ(gpu["ecc"], true);
}

TEST(NvmlState, SpellsASlicesUuidAsTheDriverDoes) {
    tell_all();
    fake_nvml().numbers["MigMode"] = 1;
    GpuProperties properties;
    properties.uuid = "GPU-0001";
    json reasons = json::object();
    EXPECT_EQ(describe_gpu(known(properties), read_nvml(fake_pci_address), reasons)["uuid"], "MIG-0001");
    properties.uuid = "MIG-0001";
    EXPECT_EQ(describe_gpu(known(properties), read_nvml(fake_pci_address), reasons)["uuid"], "MIG-0001");
}

TEST(Nvml, SaysWhatItsVersionIsAndWhatItLacks) {
    auto& nvml = fake_nvml();
    EXPECT_EQ(read_nvml_driver_version().reason, "nvmlSystemGetDriverVersion: Not Supported");
    nvml.driver = "580.95.05";
    EXPECT_EQ(read_nvml_driver_version().value, "580.95.05");
    EXPECT_EQ(Nvml::instance().reason(), "");
    EXPECT_EQ(Nvml::instance().call("nvmlNoSuchFunction"), "this driver has no nvmlNoSuchFunction");
}

}  // namespace
}  // namespace gridmark::harness
