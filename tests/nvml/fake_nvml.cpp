// Stands in for libnvidia-ml.so.1: the functions that the harness calls, for one GPU.

#define FAKE_NVML ""
#include "tests/nvml/fake_nvml.hpp"

#include <algorithm>
#include <cstring>

namespace {

using gridmark::tests::FakeNvml;

constexpr int sm_clock = 1;
constexpr int success = 0, not_supported = 3, not_found = 6, too_little_room = 7;

FakeNvml state;

bool refuses(const char* function) {
    return state.refused.contains(function);
}

struct ProcessInfo {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

struct BusySample {
    unsigned pid;
    unsigned long long time;
    unsigned multiprocessors, memory, encoder, decoder;
};

struct MemoryInfo {
    unsigned version;
    unsigned long long total, reserved, free, used;
};

struct FieldValue {
    unsigned id, scope;
    long long timestamp, latency;
    unsigned type;
    int result;
    unsigned long long value;
};

int list(const char* function, const std::vector<unsigned>& pids, unsigned* count, ProcessInfo* to) {
    if (refuses(function)) return not_supported;
    const unsigned room = *count;
    *count = static_cast<unsigned>(pids.size());
    if (room < pids.size()) return too_little_room;
    for (std::size_t k = 0; k < pids.size(); ++k)
        to[k] = {pids[k], 1 << 20, ~0U, ~0U};
    return success;
}

int number(const char* function, unsigned value, unsigned* to) {
    if (refuses(function)) return not_supported;
    *to = value;
    return success;
}

int named(const char* name, unsigned* to) {
    const auto found = state.numbers.find(name);
    if (found == state.numbers.end()) return not_supported;
    *to = found->second;
    return success;
}

int words(const std::string& text, char* to, unsigned length) {
    if (text.empty() || text.size() >= length) return not_supported;
    std::strcpy(to, text.c_str());
    return success;
}

}  // namespace

extern "C" {

FakeNvml* fake_nvml_state() {
    return &state;
}

int nvmlInit_v2() {
    return success;
}
const char* nvmlErrorString(int) {
    return "Not Supported";
}
int nvmlDeviceGetHandleByUUID(const char* uuid, void** device) {
    *device = &state;
    const std::string name = uuid;
    return name == gridmark::tests::fake_uuid || name == "MIG-01" ? success : not_found;
}
int nvmlDeviceGetHandleByPciBusId_v2(const char* address, void** device) {
    *device = &state;
    return std::strcmp(address, gridmark::tests::fake_pci_address) == 0 ? success : not_found;
}
int nvmlDeviceGetComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* to) {
    return list("compute", state.compute, count, to);
}
int nvmlDeviceGetGraphicsRunningProcesses_v3(void*, unsigned* count, ProcessInfo* to) {
    return list("graphics", state.graphics, count, to);
}
int nvmlDeviceGetMPSComputeRunningProcesses_v3(void*, unsigned* count, ProcessInfo* to) {
    return list("mps", state.mps, count, to);
}
int nvmlDeviceGetProcessUtilization(void*, BusySample* to, unsigned* count, unsigned long long since) {
    if (refuses("busy")) return not_supported;
    if (state.busy.empty()) return not_found;
    const unsigned room = *count;
    *count = static_cast<unsigned>(2 * state.busy.size() + state.busy_before.size());
    if (room < *count) return too_little_room;
    for (const auto& [pid, percent] : state.busy_before)
        *to++ = {pid, since, percent, 0, 0, 0};
    for (const auto& [pid, percent] : state.busy) {
        *to++ = {pid, since + 1, percent, 0, 0, 0};
        *to++ = {pid, since + 2, percent / 2, 0, 0, 0};
    }
    return success;
}
int nvmlDeviceGetMemoryInfo_v2(void*, MemoryInfo* to) {
    if (refuses("memory") || to->version != (sizeof(MemoryInfo) | 2U << 24U)) return not_supported;
    to->used = state.used;
    to->reserved = 1ULL << 30U;  // the driver's own
    return success;
}
int nvmlDeviceGetUtilizationRates(void*, unsigned* both) {
    both[1] = 77;  // of the memory
    return number("utilization", state.utilization, both);
}
int nvmlDeviceGetDisplayActive(void*, unsigned* active) {
    return number("display", state.desktop, active);
}
int nvmlDeviceGetClockInfo(void*, int kind, unsigned* mhz) {
    return kind == sm_clock ? number("clock", state.sm_mhz, mhz) : named("MemoryClock", mhz);
}
int nvmlDeviceGetMaxClockInfo(void*, int kind, unsigned* mhz) {
    return named(kind == sm_clock ? "MaxSmClock" : "MaxMemoryClock", mhz);
}
int nvmlDeviceGetUUID(void*, char* text, unsigned length) {
    return words(gridmark::tests::fake_uuid, text, length);
}
int nvmlSystemGetDriverVersion(char* text, unsigned length) {
    return words(state.driver, text, length);
}
int nvmlDeviceGetEccMode(void*, unsigned* current, unsigned* pending) {
    *pending = 0;
    return named("EccMode", current);
}
int nvmlDeviceGetMigMode(void*, unsigned* current, unsigned* pending) {
    *pending = 0;
    return named("MigMode", current);
}
int nvmlDeviceGetPersistenceMode(void*, unsigned* on) {
    return named("PersistenceMode", on);
}
int nvmlDeviceGetEnforcedPowerLimit(void*, unsigned* milliwatts) {
    return named("EnforcedPowerLimit", milliwatts);
}
int nvmlDeviceGetPowerUsage(void*, unsigned* milliwatts) {
    return named("PowerUsage", milliwatts);
}
int nvmlDeviceGetCurrPcieLinkGeneration(void*, unsigned* generation) {
    return named("CurrPcieLinkGeneration", generation);
}
int nvmlDeviceGetCurrPcieLinkWidth(void*, unsigned* width) {
    return named("CurrPcieLinkWidth", width);
}
int nvmlDeviceGetMaxPcieLinkGeneration(void*, unsigned* generation) {
    return named("MaxPcieLinkGeneration", generation);
}
int nvmlDeviceGetMaxPcieLinkWidth(void*, unsigned* width) {
    return named("MaxPcieLinkWidth", width);
}
int nvmlDeviceGetC2cModeInfoV(void*, unsigned* on) {
    return named("C2cModeInfo", on);
}
int nvmlDeviceGetTemperature(void*, int sensor, unsigned* celsius) {
    return sensor == 0 ? named("Temperature", celsius) : not_supported;
}
int nvmlDeviceGetCurrentClocksThrottleReasons(void*, unsigned long long* reasons) {
    if (refuses("older reasons")) return not_supported;
    *reasons = state.reasons;
    return success;
}
int nvmlDeviceGetCurrentClocksEventReasons(void*, unsigned long long* reasons) {
    if (refuses("reasons")) return not_supported;
    *reasons = state.reasons;
    return success;
}
int nvmlDeviceGetFieldValues(void*, int count, FieldValue* fields) {
    if (refuses("fields")) return not_supported;
    std::for_each(fields, fields + count, [](FieldValue& field) {
        const auto found = state.fields.find(field.id);
        field.result = found == state.fields.end() ? not_supported : success;
        field.type = 3;  // unsigned long long
        if (found != state.fields.end()) field.value = found->second;
    });
    return success;
}
int nvmlDeviceGetViolationStatus(void*, int policy, unsigned long long* times) {
    const auto found = state.policies.find(policy);
    if (found == state.policies.end()) return not_supported;
    times[1] = found->second;
    return success;
}
}
