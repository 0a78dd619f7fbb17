#include "harness/gpu/nvml.hpp"

#include <array>

#include "harness/gpu/nvml_library.hpp"

namespace gridmark::harness {
namespace {

using Device = Nvml::Device;

constexpr int clock_sm = 1;
constexpr int clock_memory = 2;
constexpr int sensor_gpu = 0;

template <class T>
Expected<T> result_of(const std::string& failure, T value) {
    return failure.empty() ? known(std::move(value)) : unknown<T>(failure);
}

Expected<std::string> read_text(const char* name, Device device) {
    std::array<char, 128> text{};
    const auto failure = Nvml::instance().call(name, device, text.data(), static_cast<unsigned>(text.size()));
    return result_of(failure, std::string(text.data()));
}

// Leading selects the clock or the sensor where the function takes one.
template <class Number = unsigned, class... Leading>
Expected<Number> read_number(const char* name, Device device, Leading... leading) {
    Number number{};
    const auto failure = Nvml::instance().call(name, device, leading..., &number);
    return result_of(failure, number);
}

// Switches that report a current and a pending state, both 32 bits wide.
Expected<bool> read_switch_pair(const char* name, Device device) {
    unsigned current = 0;
    unsigned pending = 0;
    const auto failure = Nvml::instance().call(name, device, &current, &pending);
    return result_of(failure, current != 0);
}

Expected<double> read_watts(const char* name, Device device) {
    return transform(read_number(name, device), [](unsigned milliwatts) { return milliwatts / 1000.0; });
}

Expected<std::vector<std::string>> read_clock_limits(Device device) {
    auto bits = read_number<unsigned long long>("nvmlDeviceGetCurrentClocksEventReasons", device);
    // The name before driver 535.
    if (!bits) bits = read_number<unsigned long long>("nvmlDeviceGetCurrentClocksThrottleReasons", device);
    return transform(bits, name_clock_limits);
}

NvmlState all_unknown(const std::string& why) {
    const auto number = unknown<unsigned>(why);
    const auto flag = unknown<bool>(why);
    const auto watts = unknown<double>(why);
    return {unknown<std::string>(why),
            flag,
            flag,
            flag,
            watts,
            watts,
            number,
            number,
            number,
            number,
            number,
            number,
            number,
            number,
            flag,
            number,
            unknown<std::vector<std::string>>(why)};
}

}  // namespace

NvmlState read_nvml(const std::string& pci_bus_id) {
    const auto card = nvml_card(pci_bus_id);
    if (!card) return all_unknown(card.reason);
    Device const device = *card.value;
    NvmlState state;
    state.uuid = read_text("nvmlDeviceGetUUID", device);
    state.ecc = read_switch_pair("nvmlDeviceGetEccMode", device);
    state.persistence =
        transform(read_number("nvmlDeviceGetPersistenceMode", device), [](unsigned on) { return on != 0; });
    state.mig = read_switch_pair("nvmlDeviceGetMigMode", device);
    state.power_cap_watts = read_watts("nvmlDeviceGetEnforcedPowerLimit", device);
    state.power_watts = read_watts("nvmlDeviceGetPowerUsage", device);
    state.sm_mhz = read_number("nvmlDeviceGetClockInfo", device, clock_sm);
    state.memory_mhz = read_number("nvmlDeviceGetClockInfo", device, clock_memory);
    state.sm_max_mhz = read_number("nvmlDeviceGetMaxClockInfo", device, clock_sm);
    state.memory_max_mhz = read_number("nvmlDeviceGetMaxClockInfo", device, clock_memory);
    state.pci_generation = read_number("nvmlDeviceGetCurrPcieLinkGeneration", device);
    state.pci_width = read_number("nvmlDeviceGetCurrPcieLinkWidth", device);
    state.pci_max_generation = read_number("nvmlDeviceGetMaxPcieLinkGeneration", device);
    state.pci_max_width = read_number("nvmlDeviceGetMaxPcieLinkWidth", device);
    // Fills a structure of one number.
    state.c2c =
        transform(read_number("nvmlDeviceGetC2cModeInfoV", device), [](unsigned on) { return on != 0; });
    state.temperature_celsius = read_number("nvmlDeviceGetTemperature", device, sensor_gpu);
    state.clock_limits = read_clock_limits(device);
    return state;
}

Expected<std::string> read_nvml_driver_version() {
    std::array<char, 96> text{};
    const auto failure =
        Nvml::instance().call("nvmlSystemGetDriverVersion", text.data(), static_cast<unsigned>(text.size()));
    return result_of(failure, std::string(text.data()));
}

std::vector<std::string> name_clock_limits(std::uint64_t bits) {
    struct Bit {
        std::uint64_t mask;
        const char* name;
    };
    constexpr std::array<Bit, 9> names{{{0x1, "idle"},
                                        {0x2, "application clocks"},
                                        {0x4, "power cap"},
                                        {0x8, "hardware slowdown"},
                                        {0x10, "synchronised boost"},
                                        {0x20, "software thermal slowdown"},
                                        {0x40, "hardware thermal slowdown"},
                                        {0x80, "power brake"},
                                        {0x100, "display clocks"}}};
    std::vector<std::string> present;
    for (const Bit& bit : names) {
        if ((bits & bit.mask) != 0) present.emplace_back(bit.name);
    }
    return present;
}

}  // namespace gridmark::harness
